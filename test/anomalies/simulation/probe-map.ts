import type { Page, ReportDetails, ReportSummary } from '../../../packages/protocol/src/index.ts';
import { ofKind } from './client-operation.ts';
import type { Client } from './client.ts';
import type { Model } from './model.ts';
import type { Machine } from './machine.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';
import { Anomaly } from './anomaly.ts';
import type { Scheduler } from './scheduler.ts';

/** Checks that a listed map is readable: sends a report and expects its stack to be resolved by that map. */
export async function probeMap(
  model: Model,
  machine: Machine,
  client: Client,
  scheduler: Scheduler,
  random: SeededRandom,
): Promise<void> {
  const maps = [...model.projects.values()].flatMap((project) =>
    [...project.maps].map(([release, map]) => ({ project, release, map })),
  );
  if (maps.length === 0) return;
  const { project, release, map } = random.pick(maps);
  const { injected } = machine.faults;
  client.report(project.id, project.key, `Paying failed in ${release}`, { stack: { release } });
  const sent = ofKind(client.history, 'report').at(-1);
  await scheduler.until(() => sent?.call.respondedAt !== null || machine.hasDied, 'a report with a stack');
  if (sent?.call.status !== 200) return;
  const group = sent.call.body.error_group_id;
  const read = async <Body>(path: string): Promise<Body> =>
    (
      await machine.sendAndWait<Body>(
        { method: 'GET', path: `api/v1/errors/${group}/reports${path}` },
        `GET report${path}`,
      )
    ).body;
  const { items = [] } = await read<Partial<Page<ReportSummary>>>('');
  const stored = items.find(({ user }) => user?.id === sent.marker);
  if (!stored) return;
  const { frames } = await read<Partial<ReportDetails>>(`/${stored.id}`);
  await scheduler.drain();
  // If a map can't be read, the stack stays unresolved.
  if (machine.faults.injected > injected) return;
  const line = frames?.[0]?.context[0]?.text ?? '';
  if (frames && !map.markers.some((marker) => line.endsWith(`// ${marker}`)))
    throw new Anomaly(`Map ${map.id} must hold ${map.markers.join(' or ')}, but resolves to ${line || 'nothing'}`);
}
