/** The maximum number of lines with the same text per minute. */
const linesPerMinute = 60;
const windowMs = 60_000;
/** The maximum number of texts that are counted separately. All further ones are counted as one. */
const maxTexts = 1_000;
const otherTexts = '';

interface LineCount {
  startedAt: number;
  lines: number;
  omitted: number;
}

/** Bounds the lines of a log: an overload causes the same line for each request. */
export class LineLimit {
  readonly #now: () => number;
  readonly #counts = new Map<string, LineCount>();

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns how many lines with this text were omitted since the last one, or null if this one is omitted, too. */
  admit(text: string): number | null {
    const now = this.#now();
    const key = this.#counts.has(text) || this.#counts.size < maxTexts ? text : otherTexts;
    const count = this.#counts.get(key) ?? { startedAt: now, lines: 0, omitted: 0 };
    this.#counts.set(key, count);
    if (now - count.startedAt >= windowMs) {
      count.startedAt = now;
      count.lines = 0;
    }
    if (++count.lines > linesPerMinute) {
      count.omitted++;
      return null;
    }
    const { omitted } = count;
    count.omitted = 0;
    return omitted;
  }
}
