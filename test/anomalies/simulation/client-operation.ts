import type { Accepted, GroupStatus, Project, SourceMap } from '../../../packages/protocol/src/index.ts';
import type { Call } from './machine.ts';

export interface ReportOperation {
  kind: 'report';
  project: number;
  /** Its message, which decides its group. */
  message: string;
  eventId: string | null;
  /** Unique to this send, even among repeats. It is sent as the user id. */
  marker: string;
  key: string;
  call: Call<Accepted>;
}

/** A change that was requested, to be checked against the state of the server later. */
export type ClientOperation =
  | ReportOperation
  | { kind: 'status'; project: number; group: number; status: GroupStatus; call: Call }
  | { kind: 'delete group'; project: number; group: number; call: Call }
  | { kind: 'create project'; name: string; call: Call<Project> }
  | { kind: 'delete project'; project: number; call: Call }
  | { kind: 'rotate'; project: number; call: Call<{ api_key: string }> }
  | { kind: 'upload'; project: number; release: string; marker: string; call: Call<SourceMap> }
  | { kind: 'delete map'; project: number; map: number; call: Call };

export type OperationOf<Kind extends ClientOperation['kind']> = Extract<ClientOperation, { kind: Kind }>;

/**
 * Returns whether an operation took effect. Returns `maybe` if the server died first, or if the storage failed: a
 * failed write may have reached the disk.
 */
export function tookEffect({ call }: { call: Call }): 'yes' | 'maybe' | 'no' {
  if (call.respondedAt === null) return 'maybe';
  if (call.status < 300) return 'yes';
  return call.code === 'storage_unavailable' ? 'maybe' : 'no';
}

export function mayHaveTakenEffect(operation: { call: Call }): boolean {
  return tookEffect(operation) !== 'no';
}

/** Returns whether the later call was sent after the response to the earlier one. */
export function isAfter(later: Call, earlier: Call): boolean {
  return earlier.respondedAt !== null && later.sentAt > earlier.respondedAt;
}

export function ofKind<Kind extends ClientOperation['kind']>(
  operations: readonly ClientOperation[],
  kind: Kind,
): OperationOf<Kind>[] {
  return operations.filter((operation): operation is OperationOf<Kind> => operation.kind === kind);
}
