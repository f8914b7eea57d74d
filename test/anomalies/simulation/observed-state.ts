import type {
  ErrorGroup,
  Facets,
  GroupDetails,
  ListedSourceMap,
  Page,
  Project,
  ReportSummary,
} from '../../../packages/protocol/src/index.ts';
import type { Machine } from './machine.ts';
import { Anomaly } from './anomaly.ts';

export interface ObservedGroup {
  record: ErrorGroup;
  /** Details and stored reports, newest first. Null unless the group was read in full. */
  details: GroupDetails | null;
  stored: ReportSummary[] | null;
}

export interface ObservedProject extends Project {
  groups: ObservedGroup[];
  maps: ListedSourceMap[];
  facets: Facets;
}

/** Reads the visible state of the server while no faults are injected: of each group its record, of some all. */
export async function readState(
  machine: Machine,
  isReadInFull: (record: ErrorGroup) => boolean,
): Promise<ObservedProject[]> {
  const read = async <Body>(path: string): Promise<Body> => {
    const call = await machine.sendAndWait<Body>({ method: 'GET', path: `api/v1/${path}` }, `GET ${path}`);
    if (call.status !== 200) throw new Anomaly(`GET ${path} got status ${call.status} although no faults are injected`);
    return call.body;
  };
  const seen: ObservedProject[] = [];
  for (const project of await read<Project[]>('projects')) {
    const list = await read<Page<ErrorGroup>>(`errors?project_id=${project.id}&size=100`);
    const groups: ObservedGroup[] = [];
    for (const record of list.items) {
      const path = `errors/${record.error_group_id}`;
      const details = isReadInFull(record) ? await read<GroupDetails>(path) : null;
      const stored = isReadInFull(record) ? (await read<Page<ReportSummary>>(`${path}/reports?size=100`)).items : null;
      groups.push({ record, details, stored });
    }
    const maps = await read<Page<ListedSourceMap>>(`projects/${project.id}/source-maps`);
    const facets = await read<Facets>(`projects/${project.id}/facets`);
    // `last_used_at` is written in the background and may be lost.
    const shownMaps = maps.items.map((map) => ({ ...map, last_used_at: null }));
    seen.push({ ...project, groups, maps: shownMaps, facets });
  }
  return seen;
}
