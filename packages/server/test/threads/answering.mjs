import { parentPort, threadId } from 'node:worker_threads';

/** Answers, hangs or dies as it is told. */
parentPort.on('message', (question) => {
  if (question === 'hang') for (;;);
  if (question === 'die') process.exit(3);
  if (question === 'throw') throw new Error('as told');
  if (question === 'eat') for (const all = []; ;) all.push(Array.from({ length: 10_000 }, () => ({ question })));
  parentPort.postMessage({ question, threadId }, []);
});
