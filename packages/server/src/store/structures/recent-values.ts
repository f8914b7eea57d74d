/** The most recently seen values, up to a maximum number. */
export class RecentValues {
  readonly #maxSize: number;
  /** When each value was last seen. Storing that is cheaper than keeping the values in order. */
  readonly #lastSeen = new Map<string, number>();
  #newest: string | null = null;
  #now = 0;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  add(value: string): void {
    if (value === this.#newest) return;
    this.#newest = value;
    this.#lastSeen.set(value, ++this.#now);
    if (this.#lastSeen.size > this.#maxSize) this.#forgetOldest();
  }

  newestFirst(): string[] {
    return Array.from(this.#lastSeen)
      .toSorted((a, b) => b[1] - a[1])
      .map(([value]) => value);
  }

  #forgetOldest(): void {
    let oldest = '';
    let since = Infinity;
    for (const [value, seen] of this.#lastSeen) {
      if (seen < since) [oldest, since] = [value, seen];
    }
    this.#lastSeen.delete(oldest);
  }
}
