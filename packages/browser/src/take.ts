import { options, page, shared, type Capture, type Extras } from './client.ts';
import { copy } from './copy.ts';
import { describeError, type Thrown } from './describe-error.ts';
import { guard } from './guard.ts';
import { tell, type Taken } from './tell.ts';
import { crumbs } from './trail.ts';

/** Until when an error is held back that comes again, and how often it has. */
const held = new Map<unknown, [until: number, repeats: number]>();
/** What reads and tells of each error that waits. */
const queue: (() => void)[] = [];
/** What was thrown last, until a later task. */
let last: unknown = queue;

/**
 * Takes what was thrown, also an event that tells of it, and does as little as can be, for the page waits: to read a stack
 * makes the browser write it, so it is read later. It cannot change any more, and the message, which can, is read at once.
 */
export const take = guard(((value: Thrown, extras?: Extras): void => {
  if (!options || page.stop) return;
  let place: string | undefined;
  let words: string | undefined;
  let quick: unknown;
  let now = Date.now();
  // As readThrown() does, but one list less on the way.
  try {
    if (value.lineno) place = `    at ${value.filename}:${value.lineno}:${value.colno}`;
    // Events of any realm have a phase.
    if (value.eventPhase >= 0) {
      now = value.early ?? now;
      value = value.error ?? (value.message as unknown as Thrown) ?? value.reason;
    }
    words = value.message;
    // Where the browser has told the place, a storm needs no stacks.
    if (place && words) quick = place + words;
  } catch {
    // null, or a revoked proxy, has nothing.
  }
  // `capture(error); throw error` is one error, and so is one that goes through several hooks.
  if (value === last) return;
  if (last === queue) setTimeout(drain);
  last = value;
  let before = held.get((quick ||= value));
  if (now < (before?.[0] as number)) return void before![1]++;
  const url = location.href;
  const breadcrumbs = crumbs();
  const said = shared;
  queue.push(() => {
    const described = describeError(value, copy, place, words);
    // Values that are no errors are told apart as such, for their words may be those of any.
    const same = described.type ? described.stacktrace : value;
    before = held.get(same) ?? before;
    if (now < (before?.[0] as number)) return void before![1]++;
    // First, for what comes last gives way where a report is too large.
    const taken: Taken = { ...described, url, timestamp: new Date(now), breadcrumbs, ...said, ...extras };
    if (before?.[1]) taken.metadata = { ...taken.metadata, repeated: before[1] };
    held.set(same, (before = [now + 5_000, 0])).set(quick, before);
    tell(taken);
  });
  // A storm is read as it comes.
  if (page.early || queue[9]) drain(page.early);
}) as Capture);

/** Tells what waits for a later task. There may be none any more while the page is leaving: then `early` says so. */
export function drain(early?: unknown): void {
  page.early = early;
  last = queue;
  queue.splice(0).forEach((read) => read());
  // Never so many are sent within five seconds.
  if (held.size > 40) held.clear();
}
