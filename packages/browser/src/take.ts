import { options, page, shared, type Extras } from './client.ts';
import { copy } from './copy.ts';
import { describeError, type Thrown } from './describe-error.ts';
import { guard } from './guard.ts';
import { isWanted } from './is-wanted.ts';
import { tell, type Taken } from './tell.ts';
import { crumbs } from './trail.ts';
import { warn } from './warn.ts';

/** As in package.json; a test compares them. */
const version = '0.1.0';

/** Until when an error is held back that comes again, and how often it has. */
const held = new Map<unknown, [until: number, repeats: number]>();
const queue: Taken[] = [];
/** What was thrown last, until a later task. */
let last: unknown = queue;
let busyUntil = 0;
let isLeaving: unknown;

/** Takes what was thrown, also an event that tells of it, and does as little as can be, for the page waits. */
export const take = guard((thrown: unknown, extras?: Extras & { timestamp?: Date }): void => {
  if (!options || page.stop) return;
  const [value, error] = describeError(thrown as Thrown, copy);
  // `capture(error); throw error` is one error, and so is one that goes through several hooks.
  if (value === last) return;
  if (last === queue) setTimeout(drain);
  last = value;
  if (!isWanted(error)) return;
  // What is no error is told by its identity: the text of `{}` is every object's.
  const same = error.type ? error.stacktrace : value;
  const before = held.get(same);
  const now = Date.now();
  if (now < (before?.[0] as number)) return void before![1]++;
  // What passes takes a second of a queue that is ten seconds long; what the loader has kept comes all at once.
  if (!page.early && busyUntil - now > 9_000) return warn('6: Too many errors.');
  busyUntil = Math.max(busyUntil, now) + 1_000;
  // There are never so many within five seconds.
  if (held.size > 20) held.clear();
  held.set(same, [now + 5_000, 0]);

  const taken: Taken = {
    ...error,
    environment: options.environment,
    release: options.release,
    url: location.href,
    timestamp: new Date(now),
    // Missing where the page came over plain HTTP; the server does without.
    event_id: crypto.randomUUID?.(),
    sdk: { name: '@service/browser', version },
    breadcrumbs: crumbs(),
    ...shared,
    ...extras,
  };
  if (before?.[1]) taken.metadata = { ...taken.metadata, repeated: before[1] };
  queue.push(taken);
  if (isLeaving) drain(isLeaving);
});

/** Tells what waits for a later task. There may be none any more while the page is `leaving`. */
export function drain(leaving?: unknown): void {
  isLeaving = leaving;
  last = queue;
  queue.splice(0).forEach(tell);
}
