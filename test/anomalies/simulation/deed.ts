import type { Accepted, GroupStatus, Project, SourceMap } from '../../../packages/protocol/src/index.ts';
import type { Call } from './machine.ts';

export interface ReportDeed {
  kind: 'report';
  project: number;
  /** Its message, and so its group. */
  message: string;
  eventId: string | null;
  /** Told by no other report, not even by its repeats: it comes as the user. */
  mark: string;
  key: string;
  call: Call<Accepted>;
}

/** What was asked of the server while it was busy, to be held against what it shows afterwards. */
export type Deed =
  | ReportDeed
  | { kind: 'status'; project: number; group: number; status: GroupStatus; call: Call }
  | { kind: 'delete group'; project: number; group: number; call: Call }
  | { kind: 'create project'; name: string; call: Call<Project> }
  | { kind: 'delete project'; project: number; call: Call }
  | { kind: 'rotate'; project: number; call: Call<{ api_key: string }> }
  | { kind: 'upload'; project: number; release: string; mark: string; call: Call<SourceMap> }
  | { kind: 'delete map'; project: number; map: number; call: Call };

export type DeedOf<Kind extends Deed['kind']> = Extract<Deed, { kind: Kind }>;

/**
 * Whether it happened. Nobody knows of what was not answered, for the server died, nor of what the storage
 * failed at: a write that was refused may have arrived.
 */
export function fate({ call }: { call: Call }): 'yes' | 'maybe' | 'no' {
  if (call.answered === null) return 'maybe';
  if (call.status < 300) return 'yes';
  return call.code === 'storage_unavailable' ? 'maybe' : 'no';
}

export function mayHaveHappened(deed: { call: Call }): boolean {
  return fate(deed) !== 'no';
}

/** Asked only once the other was answered. */
export function isAfter(later: Call, earlier: Call): boolean {
  return earlier.answered !== null && later.asked > earlier.answered;
}

export function ofKind<Kind extends Deed['kind']>(deeds: readonly Deed[], kind: Kind): DeedOf<Kind>[] {
  return deeds.filter((deed): deed is DeedOf<Kind> => deed.kind === kind);
}
