import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startServer, type ServerProcess } from '../test-utils/server-process.ts';
import { isFull, isThorough } from '../test-utils/depth.ts';

const rounds = isFull ? 200 : isThorough ? 20 : 5;
/** Progress is printed after this many rounds. */
const roundsPerProgress = 20;
const kinds = 4;
/** The log is compacted once in this many rounds, and at least once. */
const roundsPerCompaction = Math.min(10, rounds);
/** Milliseconds after which a server without a response counts as hanging. */
const hangMs = 60_000;

interface Acknowledged {
  kind: string;
  group: number;
  isNew: boolean;
}

test(
  `kill -9 under load, ${rounds} rounds: every acknowledged report is counted once, and no id is reused`,
  { timeout: 300_000 + rounds * 6_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-kill-'));
    const acknowledged: Acknowledged[] = [];
    const rejected: number[] = [];
    let unacknowledged = 0;
    let key = '';
    let server: ServerProcess | null = null;
    try {
      for (let round = 0; round < rounds; round++) {
        server = await startServer(`file:${folder}`);
        if (round === 0) key = String((await server.call('POST', 'projects', { name: 'Shop' })).body.api_key);
        // A deletion triggers a compaction when the server is idle. In these rounds it is killed at about that time.
        if (round % roundsPerCompaction === roundsPerCompaction - 1) await triggerCompaction(server, round);
        // Each round repeats the kinds of earlier rounds and adds one.
        const load = sendUntilKilled(server, key, round, acknowledged, rejected);
        const enough = acknowledged.length + 40 + Math.floor(Math.random() * 60);
        await expect.poll(() => acknowledged.length, { interval: 1, timeout: hangMs }).toBeGreaterThan(enough);
        await server.kill();
        unacknowledged += await load;
        if (isFull && (round + 1) % roundsPerProgress === 0) console.info(`${round + 1} of ${rounds} rounds`);
      }
      server = await startServer(`file:${folder}`);
      expect(rejected).toEqual([]);
      await check(server, acknowledged, unacknowledged);
      // The same holds after the log was compacted and read again.
      await expect.poll(() => readdir(join(folder, 'log'))).not.toContain('00000001.log');
      await server.kill();
      server = await startServer(`file:${folder}`);
      await check(server, acknowledged, unacknowledged);
    } finally {
      await server?.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** Deletes a group, and waits until shortly before, during or after the compaction. */
async function triggerCompaction(server: ServerProcess, round: number): Promise<void> {
  const { body } = await server.call('POST', 'projects', { name: `Scratch ${round}` });
  const { body: sent } = await server.call('POST', 'errors', { project_api_key: body.api_key, message: 'Scratch' });
  await server.remove(`errors/${Number(sent.error_group_id)}`);
  await setTimeout(1_900 + 20 * (round % 100));
}

/** Runs 16 concurrent senders until the server is killed. Resolves with the number of unacknowledged reports. */
async function sendUntilKilled(
  server: ServerProcess,
  key: string,
  round: number,
  acknowledged: Acknowledged[],
  rejected: number[],
): Promise<number> {
  let unacknowledged = 0;
  const sender = async (index: number): Promise<void> => {
    for (let count = 0; ; count++) {
      const kind =
        count % kinds === 0 ? `round${'x'.repeat(round)} only` : `kind${'y'.repeat((index + count) % kinds)} of many`;
      try {
        const { status, body } = await server.call('POST', 'errors', { project_api_key: key, message: kind });
        if (status !== 200) rejected.push(status);
        else acknowledged.push({ kind, group: Number(body.error_group_id), isNew: body.is_new_group === true });
      } catch (error) {
        // fetch throws only this when a connection breaks. The report may or may not be counted.
        if (!(error instanceof TypeError)) throw error;
        unacknowledged++;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, index) => sender(index)));
  return unacknowledged;
}

async function check(server: ServerProcess, acknowledged: Acknowledged[], unacknowledged: number): Promise<void> {
  const groupOf = new Map<string, number>();
  for (const { kind, group } of acknowledged) {
    // Each kind has one group, and no group has two kinds.
    expect(groupOf.get(kind) ?? group).toBe(group);
    groupOf.set(kind, group);
  }
  expect(new Set(groupOf.values()).size).toBe(groupOf.size);

  let counted = 0;
  for (const [kind, group] of groupOf) {
    const { body } = await server.call('GET', `errors/${group}`);
    expect(body.message).toBe(kind);
    const ofKind = acknowledged.filter((response) => response.kind === kind);
    expect(Number(body.count)).toBeGreaterThanOrEqual(ofKind.length);
    expect(ofKind.filter(({ isNew }) => isNew).length).toBeLessThanOrEqual(1);
    counted += Number(body.count);
  }
  // No report is counted twice: only unacknowledged reports may exceed the acknowledged ones.
  expect(counted - acknowledged.length).toBeLessThanOrEqual(unacknowledged);
  expect(acknowledged.length).toBeGreaterThan(rounds * 40);
}
