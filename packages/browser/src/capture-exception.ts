import { capture } from './client.ts';
import { guard } from './guard.ts';
import { normalize } from './normalize.ts';
import type { Level } from './report.ts';
import { scope, type Scope } from './scope.ts';
import { normalizeUser, type User } from './set-user.ts';

/** The fields of one report only. They override those of the scope; metadata is merged. */
export interface CaptureContext {
  level?: Level | undefined;
  metadata?: Record<string, unknown> | undefined;
  user?: User | null | undefined;
}

/**
 * Reports a caught error. Accepts any value, because any value can be thrown. Reports the inner error of
 * an ErrorEvent or a PromiseRejectionEvent. `context` applies to this report only and is copied.
 */
export function captureException(thrown: unknown, context?: CaptureContext): void {
  capture(thrown, context ? mergeContext(context) : scope);
}

/** Reports a message. Its level is `info` unless the context sets another. */
export function captureMessage(text: string, context?: CaptureContext): void {
  capture(text, { ...scope, level: 'info', ...(context && mergeContext(context)) });
}

/** Picks the known keys: a page may pass this function as a callback, which gets arguments of any kind. */
const mergeContext = guard(({ level, metadata, user }: CaptureContext): Scope => ({
  ...scope,
  ...(level && { level: (level + '') as Level }),
  ...(metadata && { metadata: { ...scope.metadata, ...Object(normalize(metadata)) } }),
  ...(user !== undefined && { user: normalizeUser(user) }),
}));
