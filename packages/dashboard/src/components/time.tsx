import { signal } from '@preact/signals';

/** The time, as often as somebody who reads minutes wants to know it. */
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

/** How long ago something was: `4 min`. Local time and UTC show on hover. */
export function Ago({ at, suffix = '' }: { at: string; suffix?: string }) {
  const seconds = (now.value - Date.parse(at)) / 1_000;
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [];
  return (
    <time dateTime={at} onPointerEnter={({ currentTarget }) => (currentTarget.title = sayBoth(at))}>
      {size ? `${Math.floor(seconds / (unit === 's' ? 1 : size))} ${unit}${suffix}` : 'now'}
    </time>
  );
}

/** A day, also with its minute or second, in local time, with UTC on hover. */
export function At({ at, time }: { at: string; time?: 'short' | 'medium' }) {
  return (
    <time dateTime={at} title={utc(at)}>
      {new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: time })}
    </time>
  );
}

/** Made when it is asked for: a list has a hundred of them, and a browser takes its time for the first. */
const sayBoth = (at: string): string => `${new Date(at).toLocaleString()}, ${utc(at)}`;

/** Local date and time to the millisecond; empty if the text is no time. */
export function exactTime(at: string): string {
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

/** The same in UTC, as logs have it. */
export function utcTime(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** Only hours and minutes, for what is of today. */
export const clock = (at: string | number): string => new Date(at).toLocaleTimeString([], { timeStyle: 'short' });

const utc = (at: string): string => new Date(at).toUTCString().replace('GMT', 'UTC');
