import { signal } from '@preact/signals';

/** The time, as often as somebody who reads minutes wants to know it. */
const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 10_000);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) now.value = Date.now();
});

const units: [seconds: number, short: string, long: string][] = [
  [86_400 * 365, 'y', 'year'],
  [86_400 * 30, 'mo', 'month'],
  [86_400, 'd', 'day'],
  [3_600, 'h', 'hour'],
  [60, 'min', 'minute'],
];

/** How long ago something was: `4 min`. Local time and UTC show on hover. */
export function Ago({ at, suffix = '' }: { at: string; suffix?: string }) {
  const age = sayAge(at, now.value);
  return (
    <time dateTime={at} title={bothTimes(at)}>
      {age === 'now' ? 'now' : `${age}${suffix}`}
    </time>
  );
}

/** A moment in local time, with UTC on hover. */
export function At({ at, withSeconds = false }: { at: string; withSeconds?: boolean }) {
  return (
    <time dateTime={at} title={utc(at)}>
      {new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: withSeconds ? 'medium' : 'short' })}
    </time>
  );
}

/** A day in local time, with UTC on hover. */
export function Day({ at }: { at: string }) {
  return (
    <time dateTime={at} title={utc(at)}>
      {new Date(at).toLocaleDateString([], { dateStyle: 'medium' })}
    </time>
  );
}

export function sayAge(at: string, time = Date.now()): string {
  const seconds = (time - Date.parse(at)) / 1_000;
  const [size, short] = units.find(([unit]) => seconds >= unit) ?? [];
  if (size) return `${Math.floor(seconds / size)} ${short}`;
  return seconds < 5 ? 'now' : `${Math.floor(seconds)} s`;
}

/** Only hours and minutes, for what is of today. */
export const clock = (at: string | number): string =>
  new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

const utc = (at: string): string => `${at.replace('T', ' ').replace(/\.\d+Z$/, '')} UTC`;

const bothTimes = (at: string): string => `${new Date(at).toLocaleString()} local, ${utc(at)}`;
