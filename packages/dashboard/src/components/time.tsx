import { signal } from '@preact/signals';
import { formatAge, formatUtcTime } from '../format/time.ts';

/** The current time, precise enough for relative times. */
const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 10_000);

/** How long ago a time was: `4 min`. The tooltip shows local time and UTC. */
export function TimeAgo({ at, suffix = '' }: { at: string; suffix?: string }) {
  const age = formatAge(now.value - Date.parse(at));
  return (
    <time dateTime={at} onPointerEnter={({ currentTarget }) => (currentTarget.title = localAndUtc(at))}>
      {age === null ? 'now' : age + suffix}
    </time>
  );
}

/** A date, with the time of day if `time` is given, in local time. The tooltip shows UTC. */
export function DateTime({ at, time }: { at: string; time?: 'short' | 'medium' }) {
  return (
    <time dateTime={at} title={formatUtcTime(at)}>
      {new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: time })}
    </time>
  );
}

/** Called on hover only: a list has a hundred times, and formatting the first one is slow. */
const localAndUtc = (at: string): string => `${new Date(at).toLocaleString()}, ${formatUtcTime(at)}`;
