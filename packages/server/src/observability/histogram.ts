/** Counts values by ascending upper bounds. Adding a value costs a few additions. */
export class Histogram {
  readonly bounds: readonly number[];
  /**
   * For each bound, the number of values up to it and above the previous one. The last entry counts those above all.
   */
  readonly counts: number[];
  count = 0;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  add(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] ?? Infinity)) bucket++;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.count++;
    this.sum += value;
  }
}
