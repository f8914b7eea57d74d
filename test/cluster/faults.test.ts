import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  createDatabase,
  hasPostgres,
  stopPostgresServers,
} from '../../packages/server/test/storage/postgres-server.ts';
import { memberFaultNames, memberFaults, type MemberFault } from './member-faults.ts';
import { followStream } from './read-stream.ts';
import { callAny, startCluster, type Cluster, type Member } from './test-cluster.ts';
import { isFull, isThorough } from '../test-utils/depth.ts';

const rounds = Number(process.env.ROUNDS ?? (isFull ? 50 : 2));
/** Rounds of one cluster. */
const roundsPerTest = 10;
/** Reports that are sent while a fault lasts. */
const reportsPerRound = 60;
/** The number of reports that exceed the quota. */
const excess = 30;

let cluster: Cluster | null = null;

afterEach(async () => {
  await cluster?.close();
  cluster = null;
});
afterAll(stopPostgresServers);

/** Messages that differ in a number or an id only are one bug. */
const words = ['basket', 'cart', 'door', 'engine', 'fence', 'garden', 'hall', 'island', 'jar', 'kettle'];

interface Sent {
  eventId: string;
  message: string;
}

interface Answer {
  status: number;
  groupId: number;
  isNew: boolean;
}

/** Returns the first and last round of each test. */
function roundRanges(): [number, number][] {
  return Array.from({ length: Math.ceil(rounds / roundsPerTest) }, (_, index) => [
    index * roundsPerTest + 1,
    Math.min(rounds, (index + 1) * roundsPerTest),
  ]);
}

describe.skipIf(!hasPostgres || !isThorough).each(isFull ? [2, 4] : [2])('%i servers', (count) => {
  test.each(roundRanges())(
    'lose no report and count none twice while one is killed, stopped, paused or cut off: rounds %i to %i',
    async (first, last) => {
      const quota = (last - first + 1) * reportsPerRound - excess;
      cluster = await startCluster(count, await createDatabase(), { SERVICE_ERROR_QUOTA: String(quota) });
      const running = cluster;
      const stream = followStream(() => running.members.map(({ server }) => server.url));
      await stream.opened;
      const { body: project } = await callAny(running, 'POST', 'projects', { name: 'Shop' });
      await expect.poll(() => stream.hasEvents()).toBe(true);
      const answers: (Answer & Sent)[] = [];
      for (let round = first; round <= last; round++) {
        // Except in a full run, the first round kills a server, and the second one pauses a server.
        const name = memberFaultNames[
          isFull ? Math.floor(Math.random() * memberFaultNames.length) : ((round - 1) * 2) % memberFaultNames.length
        ] as MemberFault;
        const member = running.members[Math.floor(Math.random() * count)] as Member;
        const fault = memberFaults[name](member);
        const sent = Array.from({ length: reportsPerRound }, (_, index) => ({
          eventId: randomUUID(),
          message: `The ${words[index % words.length]} of the ${words[round - first]} failed`,
        }));
        await Promise.all(
          sent.map(async (report, index) => {
            await sleep(index * 20);
            answers.push({ ...report, ...(await send(running, String(project.api_key), report)) });
          }),
        );
        await fault;
      }
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(excess);
      const accepted = answers.filter(({ status }) => status === 200);
      expect(accepted).toHaveLength(quota);
      const groups = new Map<number, (Answer & Sent)[]>();
      for (const answer of accepted) groups.set(answer.groupId, [...(groups.get(answer.groupId) ?? []), answer]);
      for (const [id, of] of groups) {
        const opening = of.filter(({ isNew }) => isNew);
        expect(opening, `group ${id} was opened once`).toHaveLength(1);
        expect(new Set(of.map(({ message }) => message)).size, `group ${id} has one bug`).toBe(1);
        const { body } = await callAny(running, 'GET', `errors/${id}`);
        expect((body.group as { count: number } | undefined)?.count ?? body.count, `count of group ${id}`).toBe(
          of.length,
        );
      }
      const messages = [...new Set(accepted.map(({ message }) => message))].toSorted();
      expect(groups.size).toBe(messages.length);
      // The stream has no gap and no repeat, although its server has failed.
      await expect.poll(() => stream.created.toSorted()).toEqual(messages);
      await stream.stop();
    },
    isFull ? 600_000 : 300_000,
  );
});

describe.skipIf(!hasPostgres || !isThorough)('a server whose packets to the holder are lost', () => {
  test('responds with 503 instead of waiting without an end', async () => {
    cluster = await startCluster(2, await createDatabase());
    const [holder, other] = cluster.members as [Member, Member];
    const { body: project } = await callAny(cluster, 'POST', 'projects', { name: 'Shop' });
    const report = { project_api_key: project.api_key, message: 'It broke', event_id: randomUUID() };
    const post = (): Promise<Response> =>
      fetch(`${other.server.url}/api/v1/errors`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(report),
      });
    // The first report opens the connections to the holder.
    expect((await post()).status).toBe(200);
    holder.peers.hang();
    const responses = await Promise.all([post(), fetch(`${other.server.url}/api/v1/auth/me`)]);
    expect(responses.map(({ status }) => status)).toEqual([503, 503]);
    expect(responses.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1']);
  });
});

describe.skipIf(!hasPostgres)('a report whose connection breaks after it was stored', () => {
  test('is not answered as rejected because the API key was rotated since', async () => {
    cluster = await startCluster(2, await createDatabase());
    const [holder, other] = cluster.members as [Member, Member];
    const { body: project } = await callAny(cluster, 'POST', 'projects', { name: 'Shop' });
    const report = { project_api_key: project.api_key, message: 'It broke', event_id: randomUUID() };
    // Its response does not arrive before the connections are closed.
    holder.peers.delay(60_000);
    const response = other.server.call('POST', 'errors', report);
    await expect
      .poll(async () => (await holder.server.call('GET', `errors?project_id=${project.id}`)).body.items)
      .toMatchObject([{ count: 1 }]);
    await holder.server.call('POST', `projects/${project.id}/api-key/rotate`);
    holder.peers.delay(0);
    holder.peers.cutOff();
    holder.peers.reconnect();
    expect((await response).status).toBe(503);
    // Only now is it known that nothing else has changed.
    expect((await other.server.call('POST', 'errors', report)).status).toBe(401);
  });
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
  });
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
