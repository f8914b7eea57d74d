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
import { Anomaly } from './world.ts';

export interface SeenGroup {
  record: ErrorGroup;
  /** Only of groups that were looked at closely, and the kept reports too: newest first. */
  details: GroupDetails | null;
  kept: ReportSummary[] | null;
}

export interface SeenProject extends Project {
  groups: SeenGroup[];
  maps: ListedSourceMap[];
  facets: Facets;
}

/** Everything that the server shows, read in a quiet moment. */
export async function seeAll(machine: Machine, isClose: (record: ErrorGroup) => boolean): Promise<SeenProject[]> {
  const read = async <Body>(path: string): Promise<Body> => {
    const call = await machine.answer<Body>({ method: 'GET', path: `api/v1/${path}` }, `GET ${path}`);
    if (call.status !== 200) throw new Anomaly(`GET ${path} in a quiet moment was answered ${call.status}`);
    return call.body;
  };
  const seen: SeenProject[] = [];
  for (const project of await read<Project[]>('projects')) {
    const list = await read<Page<ErrorGroup>>(`errors?project_id=${project.id}&size=100`);
    const groups: SeenGroup[] = [];
    for (const record of list.items) {
      const path = `errors/${record.error_group_id}`;
      const details = isClose(record) ? await read<GroupDetails>(path) : null;
      const kept = isClose(record) ? (await read<Page<ReportSummary>>(`${path}/reports?size=100`)).items : null;
      groups.push({ record, details, kept });
    }
    const maps = await read<Page<ListedSourceMap>>(`projects/${project.id}/source-maps`);
    const facets = await read<Facets>(`projects/${project.id}/facets`);
    // When a map was last used is noted by the way, and nobody waits for it.
    const shownMaps = maps.items.map((map) => ({ ...map, last_used_at: null }));
    seen.push({ ...project, groups, maps: shownMaps, facets });
  }
  return seen;
}
