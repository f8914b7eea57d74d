export const dayMs = 86_400_000;

const ageUnits = [
  [365 * dayMs, 'y'],
  [30 * dayMs, 'mo'],
  [dayMs, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

const minAgeMs = 5_000;

/** Formats an age in its largest unit: `4 min`. Returns null if it is shorter than five seconds. */
export function formatAge(ageMs: number): string | null {
  const [unitMs, unit] = ageUnits.find(([minMs]) => ageMs >= minMs) ?? [1_000, 's'];
  return ageMs < minAgeMs ? null : `${Math.floor(ageMs / unitMs)} ${unit}`;
}

/** Formats local date and time to the millisecond. Returns an empty text if the time is invalid. */
export function formatExactTime(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  return date.toLocaleString([], {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });
}

/** Formats a time in UTC, in ISO format as in logs. Returns an empty text if the time is invalid. */
export function formatIsoTime(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** Formats date and time in UTC: `Fri, 20 Nov 2026 09:00:00 UTC`. */
export const formatUtcTime = (at: string): string => new Date(at).toUTCString().replace('GMT', 'UTC');

/** Formats hours and minutes. */
export const formatClock = (at: string | number): string => new Date(at).toLocaleTimeString([], { timeStyle: 'short' });
