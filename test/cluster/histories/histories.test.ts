import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  createDatabase,
  hasPostgres,
  stopPostgresServers,
} from '../../../packages/server/test/storage/postgres-server.ts';
import { adminToken } from '../../test-utils/server-process.ts';
import { isFull, isThorough } from '../../test-utils/depth.ts';
import { SeededRandom } from '../../test-utils/seeded-random.mjs';
import { memberFaults, type MemberFault } from '../member-faults.ts';
import { callAny, startCluster, type Cluster, type Member } from '../test-cluster.ts';
import { isLinearizable } from './linearizability.ts';
import { projectModel } from './project-model.ts';
import { recordHistory, type ProjectOperation } from './record-history.ts';

const histories = Number(process.env.HISTORIES ?? (isFull ? 1_000 : 40));
/** Histories that are recorded at the same time. */
const parallel = 8;
/** After a pause or a cut, a server may not know that it has lost the log, and could respond with outdated data. */
const faults: MemberFault[] = ['paused', 'killed', 'cut off from PostgreSQL', 'stopped'];
const admin = { email: 'admin@localhost', password: 'correct horse battery' };

let cluster: Cluster | null = null;

afterEach(async () => {
  await cluster?.close();
  cluster = null;
});
afterAll(stopPostgresServers);

describe.skipIf(!hasPostgres || !isThorough)('4 servers', () => {
  test(
    `give linearizable histories while the holder fails: ${histories}`,
    async () => {
      const running = await startCluster(4, await createDatabase());
      cluster = running;
      const random = new SeededRandom(20);
      let left = histories;
      let known = 0;
      let unknown = 0;
      const recording = Promise.all(
        Array.from({ length: parallel }, async () => {
          while (left-- > 0) {
            const { history, apiKey } = await recordOne(running, random.fork());
            const keys = history.flatMap(({ output }) =>
              output !== null && typeof output === 'object' && 'apiKey' in output ? [output.apiKey] : [],
            );
            known += history.filter(({ output }) => output !== null).length;
            unknown += history.filter(({ output }) => output === null).length;
            if (!isLinearizable(history, projectModel(apiKey, [apiKey, ...keys])))
              throw new Error(`This history is not linearizable:\n${describeHistory(history)}`);
          }
        }),
      );
      const over = new AbortController();
      void recording.finally(() => over.abort()).catch(() => undefined);
      for (let index = 0; !over.signal.aborted; index++)
        await memberFaults[faults[index % faults.length] as MemberFault](await holderOf(running));
      await recording;
      // A history with few responses proves little.
      expect(known).toBeGreaterThan(histories * 10);
      expect(unknown).toBeLessThan(known / 5);
    },
    isFull ? 1_800_000 : 300_000,
  );
});

/** Creates a project and a session, and records a history of them. */
async function recordOne(
  running: Cluster,
  random: SeededRandom,
): Promise<{ history: ProjectOperation[]; apiKey: string }> {
  const { body: session } = await callAny(running, 'POST', 'auth/login', admin);
  const { body: project } = await callAny(running, 'POST', 'projects', { name: 'Shop' });
  const subject = {
    id: Number(project.id),
    apiKey: String(project.api_key),
    accessToken: String(session.access_token),
  };
  const urls = (): string[] => running.members.map(({ server }) => server.url);
  const history = await recordHistory(urls, adminToken, subject, random);
  // Because a team has at most 1,000 projects. If the call is repeated, the project may be gone already.
  const { status } = await callAny(running, 'DELETE', `projects/${subject.id}`);
  expect([204, 404]).toContain(status);
  return { history, apiKey: subject.apiKey };
}

/** Resolves with the server that holds the log, or with any while none does. */
async function holderOf({ members, holderUrl }: Cluster): Promise<Member> {
  const url = await holderUrl();
  return members.find(({ peers }) => url?.endsWith(`:${peers.port}`)) ?? (members[0] as Member);
}

function describeHistory(history: readonly ProjectOperation[]): string {
  return history
    .map(
      ({ input, output, beganAt, endedAt }) =>
        `${beganAt}–${endedAt} ${JSON.stringify(input)} ${JSON.stringify(output)}`,
    )
    .join('\n');
}
