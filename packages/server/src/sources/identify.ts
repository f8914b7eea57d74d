import { fingerprint, type Fingerprint } from '../fingerprint/fingerprint.ts';
import type { ReportFacts } from '../report/read-report.ts';
import type { Services } from '../services.ts';
import { framesAsTold } from '../stack/frames-as-told.ts';
import type { ParsedStack } from '../stack/parsed-stack.ts';
import type { LateMap } from '../store/adoption.ts';
import type { SourceMapRecord } from '../store/records.ts';
import type { BuildFacts } from './resolve-stack.ts';
import { symbolicate } from './symbolicate.ts';

/** Of a report, what says which bug it is of. */
export interface Incident {
  readonly facts: Pick<ReportFacts, 'type' | 'message' | 'url' | 'release' | 'debug_ids'>;
  readonly stack: ParsedStack;
}

/** Which group a report belongs to, and where it happened. */
export interface Identity extends Fingerprint {
  /** Only where source maps have told something. */
  late?: LateMap;
}

/** Says which group a report belongs to: at once, unless there are maps to resolve its stack with. */
export function identify(services: Services, projectId: number, incident: Incident): Identity | Promise<Identity> {
  if (services.store.model.mapsOf(projectId).length > 0) return identifyBySource(services, projectId, incident);
  return identifyAsTold(incident);
}

function identifyAsTold({ facts, stack }: Incident): Fingerprint {
  const { type, message, url } = facts;
  const causes = stack.causes.map((cause) => ({ ...cause, frames: framesAsTold(cause.frames, url) }));
  return fingerprint({ type, message, frames: framesAsTold(stack.frames, url), causes, url });
}

async function identifyBySource(services: Services, projectId: number, incident: Incident): Promise<Identity> {
  const { facts, stack } = incident;
  const { type, message, url } = facts;
  const build: BuildFacts = { projectId, release: facts.release, debugIds: facts.debug_ids, url };
  const { frames, used } = await symbolicate(services, stack.frames, build);
  const served = new Set(used);
  const causes = [];
  for (const cause of stack.causes) {
    const resolved = await symbolicate(services, cause.frames, build);
    causes.push({ ...cause, frames: resolved.frames });
    for (const map of resolved.used) served.add(map);
  }
  const identity = fingerprint({ type, message, frames, causes, url });
  if (served.size === 0) return identity;
  return {
    ...identity,
    late: { groupsBefore: groupsBefore(served), unresolved: () => identifyAsTold(incident).fingerprint },
  };
}

/** Up to which id groups may have been opened without one of these maps. */
function groupsBefore(maps: Iterable<SourceMapRecord>): number {
  return Math.max(...Array.from(maps, ({ groups_before = 0 }) => groups_before));
}
