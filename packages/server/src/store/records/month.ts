/** The month that was asked for last: it is asked for with every report. */
let known = { month: 0, from: 0, to: 0 };

/** The calendar month (UTC) of a moment, as a number that grows by one a month. */
export function monthOf(at: number): number {
  if (at >= known.from && at < known.to) return known.month;
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  known = { month: year * 12 + month, from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
  return known.month;
}

/** Milliseconds at which the month of `at` began. */
export function monthStart(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** Milliseconds at which the month after that of `at` begins. */
export function nextMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
