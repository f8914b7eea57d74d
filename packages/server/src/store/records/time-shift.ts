/** A correction of times that were stored while a clock was wrong. Milliseconds since 1970. */
export interface TimeShift {
  /** Times before this one were right. */
  from: number;
  /** Milliseconds that are added to the other times. */
  by: number;
  /** The upper bound of corrected times. */
  until: number;
}

export function shiftTime(at: number, { from, by, until }: TimeShift): number {
  return at < from ? at : Math.min(until, at + by);
}
