import { maxLoggedEvents } from '../../retention/retention-policy.ts';
import type { ProjectRecord } from '../records/records.ts';

/** Rare events that a subscriber may want to replay, however much has changed since. */
const eventKinds = [
  'group.created',
  'group.reopened',
  'group.resolved',
  'group.activated',
  'group.deleted',
  'summary.updated',
  'project.created',
  'project.updated',
  'project.deleted',
] as const;
export type EventKind = (typeof eventKinds)[number];

export interface LoggedEvent {
  what: EventKind;
  /** Number of the batch that has it. */
  batch: number;
  projectId: number;
  /** 0 where it is the project that something happened to. */
  groupId: number;
  /** The project as it was, if it is gone. */
  deleted: ProjectRecord | null;
}

/** What happened last, in its order: filled by the fold, so that it is there again after a start. */
export class EventLog {
  readonly #kinds = new Uint8Array(maxLoggedEvents);
  readonly #batches = new Float64Array(maxLoggedEvents);
  readonly #projects = new Float64Array(maxLoggedEvents);
  readonly #groups = new Float64Array(maxLoggedEvents);
  /** By index. */
  readonly #deleted = new Map<number, ProjectRecord>();
  /** Of all that there have been. */
  #count = 0;
  /** Up to this batch not everything is known. */
  #forgottenBatch = 0;

  add(what: EventKind, batch: number, projectId: number, groupId = 0): void {
    const index = this.#count % maxLoggedEvents;
    if (this.#count >= maxLoggedEvents) {
      this.#forgottenBatch = Math.max(this.#forgottenBatch, this.#batches[index] ?? 0);
      this.#deleted.delete(index);
    }
    this.#kinds[index] = eventKinds.indexOf(what);
    this.#batches[index] = batch;
    this.#projects[index] = projectId;
    this.#groups[index] = groupId;
    this.#count++;
  }

  addDeletedProject(batch: number, project: ProjectRecord): void {
    this.add('project.deleted', batch, project.id);
    this.#deleted.set((this.#count - 1) % maxLoggedEvents, project);
  }

  /** Marks the events up to this batch as unknown: the log holds the state at that batch, not how it came about. */
  forgetUpTo(batch: number): void {
    this.#forgottenBatch = Math.max(this.#forgottenBatch, batch);
  }

  /** Whether all that happened after this batch is remembered. */
  reachesBackTo(batch: number): boolean {
    return batch >= this.#forgottenBatch;
  }

  /** What happened after this batch, as far as it is remembered, oldest first. */
  *since(batch: number): Generator<LoggedEvent> {
    let first = this.#count;
    const oldest = Math.max(0, this.#count - maxLoggedEvents);
    while (first > oldest && (this.#batches[(first - 1) % maxLoggedEvents] ?? 0) > batch) first--;
    for (let at = first; at < this.#count; at++) {
      const index = at % maxLoggedEvents;
      yield {
        what: eventKinds[this.#kinds[index] ?? 0] ?? 'group.created',
        batch: this.#batches[index] ?? 0,
        projectId: this.#projects[index] ?? 0,
        groupId: this.#groups[index] ?? 0,
        deleted: this.#deleted.get(index) ?? null,
      };
    }
  }
}
