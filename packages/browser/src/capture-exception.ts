import { capture, shared, type Extras } from './client.ts';
import { copy } from './copy.ts';
import { guard } from './guard.ts';
import type { Level } from './report.ts';
import { readUser, type User } from './set-user.ts';

/** What goes with one report only. */
export interface CaptureContext {
  level?: Level | undefined;
  metadata?: Record<string, unknown> | undefined;
  user?: User | null | undefined;
}

/**
 * Reports an error that was caught. Anything can be thrown, so anything is taken: also an ErrorEvent or a
 * PromiseRejectionEvent, of which the inner error is reported. `context` counts for this report only, and is copied.
 */
export function captureException(thrown: unknown, context?: CaptureContext): void {
  capture(thrown, context ? readContext(context) : shared);
}

/** Reports a text that is no error; its level is `info` unless the context says otherwise. */
export function captureMessage(text: string, context?: CaptureContext): void {
  capture(text, { ...shared, level: 'info', ...(context && readContext(context)) });
}

/** Only what a context may hold, for people hand this function over to whoever calls it with anything. */
const readContext = guard(({ level, metadata, user }: CaptureContext): Extras => ({
  ...shared,
  ...(level && { level: (level + '') as Level }),
  ...(metadata && { metadata: { ...shared.metadata, ...Object(copy(metadata)) } }),
  ...(user !== undefined && { user: readUser(user) }),
}));
