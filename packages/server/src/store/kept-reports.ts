import type { BodySpan } from './entry.ts';

/** Where a kept report stands in the log. */
export interface KeptPlace extends BodySpan {
  id: number;
  /** Milliseconds: when it was received. */
  at: number;
  position: number;
}

/**
 * Whether one more report of a group is kept whole. The first ones are, then at most one a second:
 * a storm of one error costs a counter, not a disk.
 */
export function isKept(count: number, lastKeptAt: number, at: number, retentionReports: number): boolean {
  return count < retentionReports || at - lastKeptAt >= 1000;
}

/** The kept reports of a group: its first ones for good, and the newest of those that came later. */
export class KeptReports {
  readonly #first: KeptPlace[] = [];
  readonly #newest: KeptPlace[] = [];

  get lastAt(): number {
    return this.latest()?.at ?? 0;
  }

  get size(): number {
    return this.#first.length + this.#newest.length;
  }

  add(place: KeptPlace, retentionReports: number): void {
    if (this.#first.length < retentionReports) {
      this.#first.push(place);
      return;
    }
    this.#newest.push(place);
    if (this.#newest.length > retentionReports) this.#newest.shift();
  }

  latest(): KeptPlace | undefined {
    return this.#newest.at(-1) ?? this.#first.at(-1);
  }

  find(id: number): KeptPlace | undefined {
    return this.#newest.find((place) => place.id === id) ?? this.#first.find((place) => place.id === id);
  }

  /** A part of the list, newest first. */
  slice(start: number, end: number): KeptPlace[] {
    return [...this.#first, ...this.#newest].toReversed().slice(start, end);
  }
}
