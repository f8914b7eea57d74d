import { maxLoggedEvents } from '../../retention/retention-policy.ts';
import type { ProjectRecord } from '../records/project-records.ts';

/** Infrequent events that subscribers must not miss, however much has changed since. */
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
  'group.merged',
  'group.unmerged',
] as const;
export type EventKind = (typeof eventKinds)[number];

export interface LoggedEvent {
  what: EventKind;
  /** Number of the batch that contains it. */
  batch: number;
  projectId: number;
  /** 0 for an event of the project itself. */
  groupId: number;
  /** The last state of a deleted project. */
  deleted: ProjectRecord | null;
}

/** The most recent events, in order. Applying log entries fills it, also at a start, from the last compaction on. */
export class EventLog {
  readonly #kinds = new Uint8Array(maxLoggedEvents);
  readonly #batches = new Float64Array(maxLoggedEvents);
  readonly #projects = new Float64Array(maxLoggedEvents);
  readonly #groups = new Float64Array(maxLoggedEvents);
  /** Deleted projects by index of their event. */
  readonly #deleted = new Map<number, ProjectRecord>();
  /** Number of all events so far. */
  #count = 0;
  /** Events may be missing up to this batch. */
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

  /**
   * Marks all events up to this batch as incomplete: the log contains written state there instead of single changes.
   */
  forgetUpTo(batch: number): void {
    this.#forgottenBatch = Math.max(this.#forgottenBatch, batch);
  }

  /** Returns whether all events after this batch are remembered. */
  reachesBackTo(batch: number): boolean {
    return batch >= this.#forgottenBatch;
  }

  /** Yields the remembered events after this batch, oldest first. */
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
