/** A correction of times that a wrong clock has given. Milliseconds since 1970. */
export interface TimeShift {
  /** Times before this one were right. */
  from: number;
  by: number;
  /** No time is later than this one. */
  until: number;
}

export function shiftTime(at: number, { from, by, until }: TimeShift): number {
  return at < from ? at : Math.min(until, at + by);
}
