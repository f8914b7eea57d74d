import { options, page, shared, type Capture, type Extras } from './client.ts';
import { copy } from './copy.ts';
import { describeError, type Thrown } from './describe-error.ts';
import { guard } from './guard.ts';
import { tell, type Draft } from './tell.ts';
import { crumbs } from './trail.ts';

/** As in package.json; a test compares them. */
const version = '0.1.0';

/** Until when an error is held back that comes again, and how often it has. */
const held = new Map<unknown, [until: number, repeats: number]>();
const queue: Draft[] = [];
/** Reads what came last, if it may wait. */
let unread: (() => void) | void;
/** What was thrown last, until a later task. */
let last: unknown = queue;
let isLeaving: unknown;

/**
 * Takes what was thrown, also an event that tells of it, and does as little as can be, for the page waits. The browser
 * writes a stack when it is first asked for, so an error is read when the next one comes, or in a later task. Its message,
 * which pages change on the way, is read at once.
 */
export const take = guard(((value: Thrown, extras: Extras = shared, now = Date.now()): void => {
  if (!options || page.stop) return;
  let place: string | undefined;
  let words: string | undefined;
  // As readThrown() does, but one list less on the way.
  try {
    // Events of any realm have a phase.
    if (value.eventPhase >= 0) {
      if (value.lineno) place = `    at ${value.filename}:${value.lineno}:${value.colno}`;
      value = value.error ?? (value.message as unknown as Thrown) ?? value.reason;
    }
    words = value.message;
  } catch {
    // null, or a revoked proxy, has nothing.
  }
  // `capture(error); throw error` is one error, and so is one that goes through several hooks.
  if (value === last) return;
  if (last === queue) setTimeout(drain);
  last = value;
  const breadcrumbs = crumbs();
  const url = location.href;
  const read = (): void => {
    // Values that are no errors are told apart as such, for their words may be those of any.
    let same: unknown = value;
    try {
      // Firefox and WebKit leave type and message out of the stack.
      if (value.stack) same = (value.name as string) + words + value.stack;
    } catch {
      // A getter that fails.
    }
    const before = held.get(same);
    if (now < (before?.[0] as number)) return void before![1]++;
    // Many more than may pass.
    if (held.size > 40) return;
    held.set(same, [now + 5_000, 0]);
    if (before?.[1]) extras = { ...extras, metadata: { ...extras.metadata, repeated: before[1] } };
    // What comes last gives way where a report is too large.
    queue.push({
      ...describeError(value, copy, place, words),
      // Missing where the page came over plain HTTP; the server does without.
      event_id: crypto.randomUUID?.(),
      sdk: { name: '@service/browser', version },
      environment: options!.environment,
      release: options!.release,
      timestamp: new Date(now),
      url,
      breadcrumbs: breadcrumbs?.map((crumb) => ({ ...crumb, timestamp: new Date(crumb.timestamp) })),
      ...extras,
    });
  };
  unread?.();
  // What is no error may change altogether.
  unread = words?.trim ? read : read();
  if (isLeaving || page.early) drain(isLeaving);
}) as Capture);

/** Tells what waits for a later task. There may be none any more while the page is `leaving`. */
export const drain = guard((leaving?: unknown): void => {
  isLeaving = leaving;
  last = queue;
  unread = options && unread?.();
  queue.splice(0).forEach(tell);
  // Never so many are sent within five seconds, and what close() has thrown away was not sent at all.
  if (!options || held.size > 40) held.clear();
});
