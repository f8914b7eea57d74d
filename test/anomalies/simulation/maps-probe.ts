import type { Page, ReportDetails, ReportSummary } from '../../../packages/protocol/src/index.ts';
import { ofKind } from './deed.ts';
import type { Deeds } from './deeds.ts';
import type { Ideal } from './ideal.ts';
import type { Machine } from './machine.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';
import { Anomaly, type World } from './world.ts';

/** Whether a map that is listed is really there: a report is sent whose stack it has to resolve. */
export async function mapsProbe(
  ideal: Ideal,
  machine: Machine,
  deeds: Deeds,
  world: World,
  random: SeededRandom,
): Promise<void> {
  const maps = [...ideal.projects.values()].flatMap((project) =>
    [...project.maps].map(([release, map]) => ({ project, release, map })),
  );
  if (maps.length === 0) return;
  const { project, release, map } = random.pick(maps);
  const { troubles } = machine.weather;
  deeds.report(project.id, project.key, `Paying failed in ${release}`, { stack: { release } });
  const sent = ofKind(deeds.done, 'report').at(-1);
  await world.until(() => sent?.call.answered !== null || machine.hasDied, 'a report with a stack');
  if (sent?.call.status !== 200) return;
  const group = sent.call.body.error_group_id;
  const read = async <Body>(path: string): Promise<Body> =>
    (await machine.answer<Body>({ method: 'GET', path: `api/v1/errors/${group}/reports${path}` }, `GET report${path}`))
      .body;
  const { items = [] } = await read<Partial<Page<ReportSummary>>>('');
  const kept = items.find(({ user }) => user?.id === sent.mark);
  if (!kept) return;
  const { frames } = await read<Partial<ReportDetails>>(`/${kept.id}`);
  await world.calm();
  // A map that can't be read just now leaves a stack as it is.
  if (machine.weather.troubles > troubles) return;
  const line = frames?.[0]?.context[0]?.text ?? '';
  if (frames && !map.marks.some((mark) => line.endsWith(`// ${mark}`)))
    throw new Anomaly(`Map ${map.id} should hold ${map.marks.join(' or ')}, and resolves to ${line || 'nothing'}`);
}
