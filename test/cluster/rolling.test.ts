import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  createDatabase,
  hasPostgres,
  queryPostgres,
  stopPostgresServers,
} from '../../packages/server/test/storage/postgres-server.ts';
import { entryVersion } from '../../packages/server/src/store/records/entry.ts';
import { isThorough } from '../test-utils/depth.ts';
import { createNextVersion } from './next-version.ts';
import { callAny, countReports, startCluster, type Cluster, type Member } from './test-cluster.ts';

let cluster: Cluster | null = null;

afterEach(async () => {
  await cluster?.close();
  cluster = null;
});
afterAll(stopPostgresServers);

/** A module in which each SIGUSR2 moves the clock of the process by two minutes, or back. */
const leapingClock = `data:text/javascript,${encodeURIComponent(
  'const now = Date.now; let ms = 0; Date.now = () => now() + ms; process.on("SIGUSR2", () => (ms = 120_000 - ms));',
)}`;
const patient = { timeout: 60_000 };
/** A server accepts reports for 1.5 seconds after /readyz has begun to fail. A busy machine may check it later. */
const maxCheckAgeMs = 700;

interface Response {
  /** 0 if the request got no response. */
  status: number;
  retryAfter: string | null;
}

describe.skipIf(!hasPostgres)('several servers', () => {
  test('a rolling restart rejects no report of a balancer that requests /readyz', async () => {
    cluster = await startCluster(2, await createDatabase());
    const responses = await loadDuring(cluster, async (running, waitForResponses) => {
      for (const member of running.members) {
        await waitForResponses(10);
        await member.stop();
        await member.restart();
      }
      await waitForResponses(10);
    });
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await countReports(cluster)).toBe(responses.length);
  });

  test('a stop of the holder rejects no large report that another server receives', async () => {
    cluster = await startCluster(2, await createDatabase());
    const { body: project } = await callAny(cluster, 'POST', 'projects', { name: 'Shop' });
    const [holder, other] = cluster.members as [Member, Member];
    const over = new AbortController();
    const responses: Response[] = [];
    const load = [64, 65, 256, 512, 1_023].map(async (kibibytes, index) => {
      const text = 'x'.repeat(kibibytes * 1024);
      while (!over.signal.aborted)
        responses.push(await sendReport(other.server.url, String(project.api_key), text, index > 2));
    });
    await waitForMore(() => responses.length, 10);
    await holder.stop();
    await waitForMore(() => responses.length, 10);
    over.abort();
    await Promise.all(load);
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect((await other.server.call('GET', 'errors')).body.items).toMatchObject([{ count: responses.length }]);
  });

  test('a stop ends cleanly although a client has sent half of a request', async () => {
    cluster = await startCluster(1, await createDatabase());
    const [member] = cluster.members as [Member];
    const client = await sendHalfRequest(member);
    await expect(member.stop()).resolves.toBeUndefined();
    client.destroy();
  });

  test('a stop ends cleanly although PostgreSQL does not respond', async () => {
    cluster = await startCluster(2, await createDatabase());
    const clients = await Promise.all(cluster.members.map(sendHalfRequest));
    for (const { engine } of cluster.members) engine.hang();
    await expect(Promise.all(cluster.members.map((member) => member.stop()))).resolves.toHaveLength(2);
    for (const client of clients) client.destroy();
  });

  test('a server takes the log once PostgreSQL is no longer slow', async () => {
    cluster = await startCluster(2, await createDatabase());
    const holderUrl = await cluster.holderUrl();
    const holder = cluster.members.find(({ peers }) => holderUrl?.endsWith(`:${peers.port}`)) as Member;
    const other = cluster.members.find((member) => member !== holder) as Member;
    // Longer than the time for which a check is valid.
    other.engine.delay(600);
    await holder.stop();
    await expect.poll(() => cluster?.holderUrl(), patient).toBe(`http://127.0.0.1:${other.peers.port}`);
    // Until the server knows that it has taken the log, and could not confirm it.
    await sleep(6_000);
    other.engine.delay(0);
    await expect.poll(async () => (await other.server.call('GET', 'projects')).status, patient).toBe(200);
  });

  test('a server whose clock becomes wrong gives up the log, and takes part again when the clock is right', async () => {
    cluster = await startCluster(2, await createDatabase(), { NODE_OPTIONS: `--import=${leapingClock}` });
    const holderUrl = await cluster.holderUrl();
    const holder = cluster.members.find(({ peers }) => holderUrl?.endsWith(`:${peers.port}`)) as Member;
    const other = cluster.members.find((member) => member !== holder) as Member;
    process.kill(holder.server.pid, 'SIGUSR2');
    const statusOf = async ({ server }: Member, path: string): Promise<number> => {
      const response = await fetch(`${server.url}${path}`);
      await response.text();
      return response.status;
    };
    await expect.poll(() => statusOf(other, '/readyz'), patient).toBe(200);
    await expect.poll(() => cluster?.holderUrl(), patient).toBe(`http://127.0.0.1:${other.peers.port}`);
    await expect.poll(() => statusOf(holder, '/readyz'), patient).toBe(503);
    expect(await statusOf(holder, '/healthz')).toBe(200);
    await expect.poll(async () => (await other.server.call('GET', 'projects')).status, patient).toBe(200);
    process.kill(holder.server.pid, 'SIGUSR2');
    await expect.poll(() => statusOf(holder, '/readyz'), patient).toBe(200);
    expect((await holder.server.call('GET', 'projects')).status).toBe(200);
  });

  test.runIf(isThorough)(
    'a rolling upgrade to a new format loses no report, and the old version can not come back',
    async () => {
      const database = await createDatabase();
      const next = createNextVersion();
      const versionOf = async (): Promise<number> => {
        const { rows } = await queryPostgres(database, 'SELECT entry_version FROM service.log');
        return (rows as { entry_version: number }[])[0]?.entry_version ?? 0;
      };
      cluster = await startCluster(3, database);
      const versions: number[] = [];
      const responses = await loadDuring(cluster, async (running, waitForResponses) => {
        for (const member of running.members) {
          await waitForResponses(10);
          await member.stop();
          versions.push(await versionOf());
          await member.restart(next.program);
        }
        await waitForResponses(10);
      });
      // While an old server runs, the log has a format that it can read.
      expect(versions.slice(0, 2)).toEqual([entryVersion, entryVersion]);
      expect(await versionOf()).toBe(entryVersion + 1);
      const refused = responses.filter(({ status }) => status !== 200);
      expect(refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter !== '1')).toEqual([]);
      expect(await countReports(cluster)).toBe(responses.length - refused.length);
      const [member] = cluster.members;
      await member?.stop();
      await expect(member?.restart()).rejects.toThrow('before it listened');
      await member?.restart(next.program);
      next.remove();
    },
  );
});

/** Sends the headers and the beginning of the body of a report. */
async function sendHalfRequest({ server }: Member): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const client = connect(Number(port), hostname).on('error', () => undefined);
  await once(client, 'connect');
  client.write('POST /api/v1/errors HTTP/1.1\r\nhost: errors.example\r\ncontent-length: 1000\r\n\r\n{');
  // Until the server has read the headers.
  await sleep(200);
  return client;
}

/** Resolves after half a second, and once the number has grown by `count`. On a busy machine that takes longer. */
async function waitForMore(number: () => number, count: number): Promise<void> {
  const wanted = number() + count;
  await sleep(500);
  await expect.poll(number).toBeGreaterThanOrEqual(wanted);
}

/**
 * Sends reports through a balancer that requests /readyz, while `work` runs. Resolves with the responses.
 * `waitForResponses` resolves once this many further reports are accepted.
 */
async function loadDuring(
  running: Cluster,
  work: (running: Cluster, waitForResponses: (count: number) => Promise<void>) => Promise<void>,
): Promise<Response[]> {
  const { body: project } = await callAny(running, 'POST', 'projects', { name: 'Shop' });
  /** The time of the latest check of each member that was ready. */
  const ready = new Map<Member, number>();
  const responses: Response[] = [];
  const over = new AbortController();
  const checks = (async () => {
    while (!over.signal.aborted) {
      for (const member of running.members) {
        const checkedAt = performance.now();
        const isReady = await fetch(`${member.server.url}/readyz`).then(
          async (response) => (await response.text(), response.ok),
          () => false,
        );
        if (isReady) ready.set(member, checkedAt);
        else ready.delete(member);
      }
      await sleep(50);
    }
  })();
  const load = (async () => {
    for (let index = 0; !over.signal.aborted; index++) {
      const now = performance.now();
      const members = [...ready].filter(([, checkedAt]) => now - checkedAt < maxCheckAgeMs);
      const [member] = members[index % members.length] ?? [];
      if (member) responses.push(await sendReport(member.server.url, String(project.api_key)));
      else await sleep(10);
    }
  })();
  const accepted = (): number => responses.filter(({ status }) => status === 200).length;
  await work(running, (count) => waitForMore(accepted, count));
  over.abort();
  await Promise.all([checks, load]);
  return responses;
}

/** Sends a report. `text` makes it large. */
async function sendReport(url: string, apiKey: string, text = '', isChunked = false): Promise<Response> {
  const report = { project_api_key: apiKey, message: 'It broke', event_id: randomUUID(), metadata: { text } };
  const json = JSON.stringify(report);
  try {
    const response = await fetch(`${url}/api/v1/errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: isChunked ? new Blob([json]).stream() : json,
      ...(isChunked && { duplex: 'half' }),
    } as RequestInit);
    await response.text();
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  } catch {
    return { status: 0, retryAfter: null };
  }
}
