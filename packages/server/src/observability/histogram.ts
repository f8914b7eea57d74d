/** How values are spread: how many were at most so large, for bounds that ascend. Costs a few additions a value. */
export class Histogram {
  readonly bounds: readonly number[];
  /** Of each bound, how many values are above the one before it; the last is for those above all. */
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
