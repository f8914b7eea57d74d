import { readFileSync, readdirSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { IndexerThread } from '../../src/symbolication/indexing/indexer-thread.ts';
import { backgroundNiceness } from '../../src/symbolication/workers/thread-priority.ts';

const thread = new IndexerThread();
afterEach(() => thread.close());

/** Returns how many threads of this process have the priority: field 19 of their `stat`, see proc(5). */
function threadsWithPriority(niceness: number): number {
  return readdirSync('/proc/self/task').filter((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]) === niceness;
  }).length;
}

test.skipIf(process.platform !== 'linux')('requests come before the indexing of source maps', async () => {
  const before = threadsWithPriority(backgroundNiceness);
  const job = thread.open();
  await job.send(Buffer.from('{'));
  job.end();
  expect(threadsWithPriority(backgroundNiceness)).toBe(before + 1);
});
