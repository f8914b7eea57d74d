import { Readable } from 'node:stream';
import type { Caller } from '../../src/accounts/caller.ts';
import type { Services } from '../../src/services.ts';
import { receiveSourceMap } from '../../src/source-maps/receive-source-map.ts';
import { uploadSourceMap } from '../../src/source-maps/upload-source-map.ts';
import type { ProjectRecord } from '../../src/store/records/project-records.ts';

/** Returns the operator as a caller who owns the team of a project. */
export function operatorOf({ team_id }: Pick<ProjectRecord, 'team_id'>): Caller {
  return { userId: 1, teamId: team_id, role: 'owner', credential: { kind: 'operator' } };
}

/** Stores a source map, without recording its upload. */
export function receiveMap(services: Services, map: string): ReturnType<typeof receiveSourceMap> {
  return receiveSourceMap(services, () => Readable.from([Buffer.from(map)]));
}

/** Uploads the source map of a script as the operator, without a form. */
export async function uploadMap(
  services: Services,
  project: ProjectRecord,
  map: object,
  { file, release = null }: { file: string; release?: string | null },
): Promise<void> {
  const received = await receiveMap(services, JSON.stringify(map));
  await uploadSourceMap(services, operatorOf(project), project, {
    fileName: `${file}.map`,
    received,
    release,
    url: null,
  });
}
