/** Caches the last result, because every report needs it. */
let known = { month: 0, from: 0, to: 0 };

/** Returns the calendar month (UTC) of a moment, as a number that grows by one each month. */
export function monthOf(at: number): number {
  if (at >= known.from && at < known.to) return known.month;
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  known = { month: year * 12 + month, from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
  return known.month;
}

/** Returns the start of the month of `at` in milliseconds. */
export function monthStart(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** Returns the start of the month after that of `at` in milliseconds. */
export function nextMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
