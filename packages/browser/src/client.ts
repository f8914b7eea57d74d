import type { GlobalState, GlobalWindow } from './global-state.ts';
import { guard } from './guard.ts';
import type { Settings } from './options.ts';
import { clearScope, scope, type Scope } from './scope.ts';
import { runTeardown, type Teardown } from './teardown.ts';
import { warn } from './warn.ts';

/** Captures a thrown value or an error event. `at` is the time in milliseconds since 1970 (now). Never throws. */
export type Capture = (thrown: unknown, reportScope?: Scope, at?: number) => void;

// A page has one client, so its state is the state of this module.
export let globalState: GlobalState;
/** The settings of the running client; undefined before `init()` and after `close()`. */
export let options: Settings | undefined;
/** The capture function of the entry point that was started. */
export let capture: Capture = () => warn('3: Call init() first');
/** The teardowns of all hooks. `close()` runs them. */
export const teardowns: Teardown[] = [];
/** The number of reports without a response. A list, because other modules cannot assign an imported variable. */
export const pending: [number] = [0];

/**
 * Starts the client. Only the first call has an effect, until `close()`. Returns the window to hook, or nothing if the
 * client was not started. Callers add the teardowns of their hooks to `teardowns`.
 */
export function start(settings: Settings, captureBy: Capture): GlobalWindow | void {
  const window = globalThis.self;
  globalState = (globalThis as { __serviceSDK?: GlobalState }).__serviceSDK ??= {};
  if (globalState.started) return warn('1: Init once');
  // Without a browser there is no `self`.
  if (!(settings.apiKey && settings.endpoint && window?.addEventListener)) return warn('2: Check apiKey, endpoint');
  globalState.started = true;
  options = settings;
  capture = captureBy;
  return window;
}

/** Captures an error that an adapter caught. `metadata` must hold strings only, because it is not copied. */
export function captureWithMetadata(thrown: unknown, metadata: Record<string, unknown>): void {
  capture(thrown, { ...scope, metadata: { ...scope.metadata, ...metadata } });
}

/** Resolves with true once every report has a response, or with false after `timeoutMs` milliseconds. Never rejects. */
export async function flush(timeoutMs = 2_000): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  // A captured error is sent in a later task, whose timer has already started. This timer therefore fires after it.
  do await new Promise((resolve) => setTimeout(resolve, pending[0] && 10));
  while (pending[0] && performance.now() < end);
  return !pending[0];
}

/** Removes every hook and stops sending. `init()` may be called again. */
export const close = guard((): void => {
  clearScope();
  // Without options, this copy of the SDK is not started, but another copy may be.
  if (options) globalState.started = false;
  options = undefined;
  runTeardown(teardowns.splice(0));
});
