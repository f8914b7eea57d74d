import { readFileSync, readdirSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { IndexerThread } from '../../src/symbolication/indexing/indexer-thread.ts';
import { backgroundNiceness } from '../../src/symbolication/workers/priority.ts';

const thread = new IndexerThread();
afterEach(() => thread.close());

const threadIds = (): string[] => readdirSync('/proc/self/task');

/** Returns field 19 of the `stat` of a thread, see proc(5), or null if the thread has ended. */
function nicenessOf(threadId: string): number | null {
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  } catch {
    return null;
  }
}

const { PRIORITY_LOW } = constants.priority;

test.skipIf(process.platform !== 'linux' || getPriority() >= PRIORITY_LOW)(
  'the thread that indexes source maps has a lower priority than requests',
  async () => {
    const before = new Set(threadIds());
    const own = getPriority();
    const job = thread.open();
    // The buffer is transferred, so it must not be a part of the pool of Node.js.
    await job.send(new TextEncoder().encode('{'));
    job.end();
    const started = threadIds().filter((id) => !before.has(id));
    expect(started.map(nicenessOf)).toContain(Math.min(PRIORITY_LOW, own + backgroundNiceness));
    expect(getPriority()).toBe(own);
  },
);
