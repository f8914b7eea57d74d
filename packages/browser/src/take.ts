import { options, page, shared, type Extras } from './client.ts';
import { copy } from './copy.ts';
import { describeError, readThrown, type Thrown } from './describe-error.ts';
import { guard } from './guard.ts';
import { tell, type Taken } from './tell.ts';
import { crumbs } from './trail.ts';

/** Until when an error is held back that comes again, and how often it has. */
const held = new Map<unknown, [until: number, repeats: number]>();
const queue: Taken[] = [];
/** What was thrown last, until a later task. */
let last: unknown = queue;
let isLeaving: unknown;

/** Takes what was thrown, also an event that tells of it, and does as little as can be, for the page waits. */
export const take = guard((thrown: unknown, extras?: Extras & { timestamp?: Date }): void => {
  if (!options || page.stop) return;
  const [value, place, same] = readThrown(thrown as Thrown);
  // `capture(error); throw error` is one error, and so is one that goes through several hooks.
  if (value === last) return;
  if (last === queue) setTimeout(drain);
  last = value;
  const before = held.get(same);
  const now = Date.now();
  if (now < (before?.[0] as number)) return void before![1]++;
  // Many more than may pass.
  if (held.size > 40) return;
  held.set(same, [now + 5_000, 0]);
  const taken: Taken = {
    // First, for what comes last gives way where a report is too large. Now, for the page may change the error.
    ...describeError(value, copy, place),
    environment: options.environment,
    release: options.release,
    url: location.href,
    timestamp: new Date(),
    breadcrumbs: crumbs(),
    ...shared,
    ...extras,
  };
  if (before?.[1]) taken.metadata = { ...taken.metadata, repeated: before[1] };
  queue.push(taken);
  if (isLeaving || page.early) drain(isLeaving);
});

/** Tells what waits for a later task. There may be none any more while the page is `leaving`. */
export function drain(leaving?: unknown): void {
  isLeaving = leaving;
  last = queue;
  queue.splice(0).forEach(tell);
  // Never so many are sent within five seconds.
  if (held.size > 40) held.clear();
}
