/** Responds, hangs or ends, as `action` says. */
process.on('message', ({ action }) => {
  if (action === 'hang') for (;;);
  if (action === 'die') process.exit(3);
  if (action === 'abort') process.abort();
  if (action === 'throw') throw new Error('as asked');
  if (action === 'eat') for (const all = []; ;) all.push(Array.from({ length: 10_000 }, () => ({ action })));
  process.send({ action, pid: process.pid, env: Object.keys(process.env), numbers: new Uint32Array([1, 2 ** 32 - 1]) });
});
process.send('ready');
process.on('disconnect', () => process.exit());
