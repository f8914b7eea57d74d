/** How many values are remembered; past it the rarer half gives way. */
const mostValues = 1_000;

/**
 * Counts values, as many as there is room for. When the room is used up the rarer half is forgotten, the older of
 * equals first, so that what is frequent is counted whenever it begins.
 */
export class TopValues {
  #counts = new Map<string, number>();

  add(value: string): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
    if (this.#counts.size <= mostValues) return;
    const newestFirst = [...this.#counts].toReversed();
    const frequent = newestFirst.toSorted((a, b) => b[1] - a[1]).slice(0, mostValues / 2);
    this.#counts = new Map(frequent.toReversed());
  }

  has(value: string): boolean {
    return this.#counts.has(value);
  }

  /** The most frequent ones, with their counts. */
  top(most: number): { value: string; count: number }[] {
    return Array.from(this.#counts, ([value, count]) => ({ value, count }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, most);
  }
}
