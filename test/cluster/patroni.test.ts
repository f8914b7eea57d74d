import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { isFull } from '../test-utils/depth.ts';
import { startLoad } from './load.ts';
import { hasPatroni, startPatroni, type PatroniCluster } from './patroni.ts';
import { callAny, countReports, startCluster, type Cluster } from './test-cluster.ts';

const rounds = Number(process.env.ROUNDS ?? 10);

let patroni: PatroniCluster | null = null;
let cluster: Cluster | null = null;

afterEach(async () => {
  await cluster?.close();
  await patroni?.close();
  cluster = patroni = null;
});

describe.skipIf(!hasPatroni || !isFull)('Patroni with three PostgreSQL', () => {
  test(
    `promotes a standby that has every report, when its leader is killed: ${rounds} rounds`,
    async () => {
      patroni = await startPatroni();
      cluster = await startCluster(2, patroni.url);
      const { body: project } = await callAny(cluster, 'POST', 'projects', { name: 'Shop' });
      let accepted = 0;
      for (let round = 0; round < rounds; round++) {
        const load = startLoad(cluster, project.api_key);
        await sleep(1_000);
        const killed = await patroni.killLeader();
        // Accepted by the new leader, which Patroni promotes after the lease of the killed one has expired.
        await callAny(cluster, 'POST', 'errors', {
          project_api_key: project.api_key,
          message: 'The door failed',
          event_id: randomUUID(),
        });
        accepted += 1 + (await load.stop());
        expect(await countReports(cluster), `after round ${round + 1}`).toBe(accepted);
        await patroni.restart(killed);
      }
      expect(accepted).toBeGreaterThan(rounds * 5);
    },
    rounds * 120_000,
  );
});
