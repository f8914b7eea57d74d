/** The values that were seen last, so many of them. */
export class RecentValues {
  readonly #most: number;
  /** When each was seen last: to write that down is less work than to keep them in order. */
  readonly #seen = new Map<string, number>();
  #newest: string | null = null;
  #now = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(value: string): void {
    if (value === this.#newest) return;
    this.#newest = value;
    this.#seen.set(value, ++this.#now);
    if (this.#seen.size > this.#most) this.#forgetOldest();
  }

  newestFirst(): string[] {
    return Array.from(this.#seen)
      .toSorted((a, b) => b[1] - a[1])
      .map(([value]) => value);
  }

  #forgetOldest(): void {
    let oldest = '';
    let since = Infinity;
    for (const [value, seen] of this.#seen) {
      if (seen < since) [oldest, since] = [value, seen];
    }
    this.#seen.delete(oldest);
  }
}
