import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  createDatabase,
  hasPostgres,
  stopPostgresServers,
} from '../../packages/server/test/storage/postgres-server.ts';
import { callAny, startCluster, type Cluster, type Member } from './test-cluster.ts';
import { isFull, isThorough } from '../test-utils/depth.ts';

const rounds = Number(process.env.ROUNDS ?? (isFull ? 25 : 2));
/** Reports that are sent while a fault lasts. */
const reportsPerRound = 60;
const pauseMs = isFull ? 10_000 : 6_500;

let cluster: Cluster | null = null;

afterEach(async () => {
  await cluster?.close();
  cluster = null;
});
afterAll(stopPostgresServers);

/** Each resolves once the fault is over. */
const faults: Record<string, (member: Member) => Promise<void>> = {
  async killed(member) {
    await member.kill();
    await sleep(500);
    await member.restart();
  },
  async stopped(member) {
    await member.stop();
    await member.restart();
  },
  async paused({ server }) {
    process.kill(server.pid, 'SIGSTOP');
    await sleep(pauseMs);
    process.kill(server.pid, 'SIGCONT');
  },
  async 'cut off from PostgreSQL'({ engine }) {
    engine.cutOff();
    await sleep(pauseMs);
    engine.reconnect();
  },
  async 'cut off from the others'({ peers }) {
    peers.cutOff();
    await sleep(pauseMs / 4);
    peers.reconnect();
  },
};

/** Messages that differ in a number or an id only are one bug. */
const words = ['basket', 'cart', 'door', 'engine', 'fence', 'garden'];

interface Sent {
  eventId: string;
  message: string;
}

interface Answer {
  status: number;
  groupId: number;
  isNew: boolean;
}

describe.skipIf(!hasPostgres || !isThorough).each(isFull ? [2, 4] : [2])('%i servers', (count) => {
  test(
    'lose and double nothing while one of them is killed, stopped, paused or cut off',
    async () => {
      cluster = await startCluster(count, await createDatabase());
      const running = cluster;
      const { body: project } = await callAny(running, 'POST', 'projects', { name: 'Shop' });
      const answers = new Map<string, Answer & Sent>();
      const names = Object.keys(faults);
      for (let round = 0; round < rounds; round++) {
        // A short run has a server that is killed, and one that is paused.
        const name = names[isFull ? Math.floor(Math.random() * names.length) : round * 2]!;
        const member = running.members[Math.floor(Math.random() * count)] as Member;
        const fault = (faults[name] as (typeof faults)[string])(member);
        const sent = Array.from({ length: reportsPerRound }, (_, index) => ({
          eventId: randomUUID(),
          message: `The ${words[index % words.length]} of the ${words[round % words.length]} ${words[Math.floor(round / words.length)]} failed`,
        }));
        await Promise.all(
          sent.map(async (report, index) => {
            await sleep(index * 20);
            answers.set(report.eventId, { ...report, ...(await send(running, String(project.api_key), report)) });
          }),
        );
        await fault;
      }
      const all = [...answers.values()];
      expect(all.filter(({ status }) => status !== 200)).toEqual([]);
      const groups = new Map<number, (Answer & Sent)[]>();
      for (const answer of all) groups.set(answer.groupId, [...(groups.get(answer.groupId) ?? []), answer]);
      for (const [id, of] of groups) {
        expect(
          of.filter(({ isNew }) => isNew),
          `group ${id} was opened once`,
        ).toHaveLength(1);
        expect(new Set(of.map(({ message }) => message)).size, `group ${id} has one bug`).toBe(1);
        const { body } = await callAny(running, 'GET', `errors/${id}`);
        expect((body.group as { count: number } | undefined)?.count ?? body.count, `count of group ${id}`).toBe(
          of.length,
        );
      }
      expect(groups.size).toBe(new Set(all.map(({ message }) => message)).size);
    },
    isFull ? 1_200_000 : 240_000,
  );
});

describe.skipIf(!hasPostgres || !isFull)('a quota', () => {
  test('is exact although the holder is killed repeatedly', async () => {
    const quota = 150;
    cluster = await startCluster(2, await createDatabase(), { SERVICE_ERROR_QUOTA: String(quota) });
    const running = cluster;
    const { body: project } = await callAny(running, 'POST', 'projects', { name: 'Shop' });
    const kills = (async () => {
      for (const member of running.members) {
        await sleep(300);
        await member.kill();
        await sleep(1_500);
        await member.restart();
      }
    })();
    const statuses = await Promise.all(
      Array.from({ length: quota + 60 }, async (_, index) => {
        await sleep(index * 15);
        return (await send(running, String(project.api_key), { eventId: randomUUID(), message: 'It broke' })).status;
      }),
    );
    await kills;
    expect(statuses.filter((status) => status === 200)).toHaveLength(quota);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60);
  }, 120_000);
});

/** Sends a report until a server accepts or rejects it. */
async function send(to: Cluster, apiKey: string, { eventId, message }: Sent): Promise<Answer> {
  const { status, body } = await callAny(to, 'POST', 'errors', {
    project_api_key: apiKey,
    message,
    event_id: eventId,
  });
  return { status, groupId: Number(body.error_group_id), isNew: body.is_new_group === true };
}
