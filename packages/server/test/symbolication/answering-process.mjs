/** Answers, hangs or dies as the question says. */
process.on('message', ({ say }) => {
  if (say === 'hang') for (;;);
  if (say === 'die') process.exit(3);
  if (say === 'abort') process.abort();
  if (say === 'throw') throw new Error('as asked');
  if (say === 'eat') for (const all = []; ;) all.push(Array.from({ length: 10_000 }, () => ({ say })));
  process.send({ say, pid: process.pid, env: Object.keys(process.env), numbers: new Uint32Array([1, 2 ** 32 - 1]) });
});
process.on('disconnect', () => process.exit());
