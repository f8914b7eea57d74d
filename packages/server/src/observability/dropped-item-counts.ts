/** The number of items of one kind that were sent to a project. */
export interface DroppedItemCount {
  projectId: number;
  kind: string;
  count: number;
}

/**
 * Counts the items of Sentry's SDKs that are not stored, and the errors that these SDKs dropped before sending. The
 * counts are in memory only: they show what to expect from an SDK, and a write for each item would be too expensive.
 */
export class DroppedItemCounts {
  /** When counting began, in milliseconds since 1970. */
  readonly since: number;
  /** Sent, but not stored, by project and kind. */
  readonly #sent = new Map<number, Map<string, number>>();
  /** Errors that were never sent, by project and reason. */
  readonly #unsent = new Map<number, Map<string, number>>();

  constructor(since: number) {
    this.since = since;
  }

  /** Counts an item that was sent. Each kind stays in memory, so there must be few. */
  countSent(projectId: number, kind: string): void {
    addCount(this.#sent, projectId, kind, 1);
  }

  /** Counts errors that an SDK dropped itself. Each reason stays in memory, so there must be few. */
  countUnsent(projectId: number, reason: string, quantity: number): void {
    addCount(this.#unsent, projectId, reason, quantity);
  }

  sentBy(projectId: number): ReadonlyMap<string, number> {
    return this.#sent.get(projectId) ?? noCounts;
  }

  unsentBy(projectId: number): ReadonlyMap<string, number> {
    return this.#unsent.get(projectId) ?? noCounts;
  }

  /** Returns the counts of sent items for all existing projects. Deletes all counts of other projects. */
  allSent(exists: (projectId: number) => boolean): DroppedItemCount[] {
    for (const counts of [this.#sent, this.#unsent])
      for (const projectId of counts.keys()) if (!exists(projectId)) counts.delete(projectId);
    return [...this.#sent].flatMap(([projectId, kinds]) =>
      Array.from(kinds, ([kind, number]) => ({ projectId, kind, count: number })),
    );
  }
}

const noCounts: ReadonlyMap<string, number> = new Map();

function addCount(counts: Map<number, Map<string, number>>, projectId: number, name: string, quantity: number): void {
  let ofProject = counts.get(projectId);
  if (!ofProject) counts.set(projectId, (ofProject = new Map()));
  ofProject.set(name, (ofProject.get(name) ?? 0) + quantity);
}
