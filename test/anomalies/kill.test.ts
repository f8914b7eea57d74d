import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startServer, type ServerProcess } from '../server-process.ts';
import { isFull } from './simulation/depth.ts';

const rounds = isFull ? 200 : 20;
/** So much to see of how far it is. */
const toldRounds = 20;
const kinds = 4;
/** Every so many rounds the log is written anew. */
const roundsATidying = 10;

interface Answered {
  kind: string;
  group: number;
  isNew: boolean;
}

test(
  `kill -9 under load, ${rounds} rounds: what was answered is counted, once, and ids are not used again`,
  { timeout: rounds * 6_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-kill-'));
    const answered: Answered[] = [];
    const refused: number[] = [];
    let unanswered = 0;
    let key = '';
    let server: ServerProcess | null = null;
    try {
      for (let round = 0; round < rounds; round++) {
        server = await startServer(`file:${folder}`);
        if (round === 0) key = String((await server.call('POST', 'projects', { name: 'Shop' })).body.api_key);
        // What is deleted has the log written anew once nothing is asked for a while: some rounds are killed around that.
        if (round % roundsATidying === roundsATidying - 1) await tidy(server, round);
        // Each round repeats the kinds of the rounds before and brings one of its own.
        const load = sendUntilRefused(server, key, round, answered, refused);
        const enough = answered.length + 40 + Math.floor(Math.random() * 60);
        await expect.poll(() => answered.length, { interval: 1, timeout: 10_000 }).toBeGreaterThan(enough);
        await server.kill();
        unanswered += await load;
        if (isFull && (round + 1) % toldRounds === 0) console.info(`${round + 1} of ${rounds} rounds`);
      }
      server = await startServer(`file:${folder}`);
      expect(refused).toEqual([]);
      await check(server, answered, unanswered);
      // The same once the log was written anew, and read again.
      await expect.poll(() => readdir(join(folder, 'log'))).not.toContain('00000001.log');
      await server.kill();
      server = await startServer(`file:${folder}`);
      await check(server, answered, unanswered);
    } finally {
      await server?.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** Deletes something, and waits until about when the log is written anew: now before it, now in the middle, now after. */
async function tidy(server: ServerProcess, round: number): Promise<void> {
  const { body } = await server.call('POST', 'projects', { name: `Scratch ${round}` });
  const { body: sent } = await server.call('POST', 'errors', { project_api_key: body.api_key, message: 'Scratch' });
  await server.remove(`errors/${Number(sent.error_group_id)}`);
  await setTimeout(1_900 + 20 * (round % 100));
}

/** Sixteen senders at once, each until the server is gone. Resolves with how many reports stayed without an answer. */
async function sendUntilRefused(
  server: ServerProcess,
  key: string,
  round: number,
  answered: Answered[],
  refused: number[],
): Promise<number> {
  let unanswered = 0;
  const sender = async (index: number): Promise<void> => {
    for (let count = 0; ; count++) {
      const kind =
        count % kinds === 0 ? `round${'x'.repeat(round)} only` : `kind${'y'.repeat((index + count) % kinds)} of many`;
      try {
        const { status, body } = await server.call('POST', 'errors', { project_api_key: key, message: kind });
        if (status !== 200) refused.push(status);
        else answered.push({ kind, group: Number(body.error_group_id), isNew: body.is_new_group === true });
      } catch (error) {
        // fetch says no more than this when a connection breaks: whether the report was counted, nobody knows.
        if (!(error instanceof TypeError)) throw error;
        unanswered++;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, index) => sender(index)));
  return unanswered;
}

async function check(server: ServerProcess, answered: Answered[], unanswered: number): Promise<void> {
  const groupOf = new Map<string, number>();
  for (const { kind, group } of answered) {
    // One kind, one group, for good; and no id stands for two kinds.
    expect(groupOf.get(kind) ?? group).toBe(group);
    groupOf.set(kind, group);
  }
  expect(new Set(groupOf.values()).size).toBe(groupOf.size);

  let counted = 0;
  for (const [kind, group] of groupOf) {
    const { body } = await server.call('GET', `errors/${group}`);
    expect(body.message).toBe(kind);
    const told = answered.filter((answer) => answer.kind === kind);
    expect(Number(body.count)).toBeGreaterThanOrEqual(told.length);
    expect(told.filter(({ isNew }) => isNew).length).toBeLessThanOrEqual(1);
    counted += Number(body.count);
  }
  // Nothing is counted twice: what is more than was answered are reports whose answer was cut off.
  expect(counted - answered.length).toBeLessThanOrEqual(unanswered);
  expect(answered.length).toBeGreaterThan(rounds * 40);
}
