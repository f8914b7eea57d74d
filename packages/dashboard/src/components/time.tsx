import { signal } from '@preact/signals';

/** The current time, precise enough for relative times. */
const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 10_000);

const units = [
  [86_400 * 365, 'y'],
  [86_400 * 30, 'mo'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [5, 's'],
] as const;

/** How long ago a time was: `4 min`. The tooltip shows local time and UTC. */
export function TimeAgo({ at, suffix = '' }: { at: string; suffix?: string }) {
  const seconds = (now.value - Date.parse(at)) / 1_000;
  const [size, unit] = units.find(([minSeconds]) => seconds >= minSeconds) ?? [];
  return (
    <time dateTime={at} onPointerEnter={({ currentTarget }) => (currentTarget.title = localAndUtc(at))}>
      {size ? `${Math.floor(seconds / (unit === 's' ? 1 : size))} ${unit}${suffix}` : 'now'}
    </time>
  );
}

/** A date, with the time of day if `time` is given, in local time. The tooltip shows UTC. */
export function DateTime({ at, time }: { at: string; time?: 'short' | 'medium' }) {
  return (
    <time dateTime={at} title={utc(at)}>
      {new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: time })}
    </time>
  );
}

/** Called on hover only: a list has a hundred times, and formatting the first one is slow. */
const localAndUtc = (at: string): string => `${new Date(at).toLocaleString()}, ${utc(at)}`;

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
export function formatUtcTime(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** Formats hours and minutes. */
export const formatClock = (at: string | number): string => new Date(at).toLocaleTimeString([], { timeStyle: 'short' });

const utc = (at: string): string => new Date(at).toUTCString().replace('GMT', 'UTC');
