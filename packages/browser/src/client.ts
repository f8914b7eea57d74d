import { guard } from './guard.ts';
import type { Settings } from './options.ts';
import type { Page, PageState } from './page.ts';
import type { Report } from './report.ts';
import { undoAll, type Undo } from './undo.ts';
import { warn } from './warn.ts';

/** What may be said of one report, beside the error. */
export type Extras = Pick<Report, 'level' | 'metadata' | 'user'>;

/** Takes what was thrown, and when, in milliseconds since 1970, if that is not now. Never throws. */
export type Capture = (thrown: unknown, extras?: Extras, at?: number) => void;

// One client a page, so its state is the module's.
export let page: PageState;
/** Undefined while the SDK is not started. */
export let options: Settings | undefined;
/** How the entry that was started captures. */
export let capture: Capture = () => warn('3: Call init() first');
/** What takes the hooks away. */
export const undos: Undo[] = [];
/** What is said of every report, until close(). */
export let shared: Extras = {};
/** How many reports have no answer yet: a number, in a list so that others can change it. */
export const flight: [number] = [0];

/**
 * Starts: only the first call counts, until close(). Returns the window that is to be hooked, if there is one; what undoes
 * the hooks goes into `undos`.
 */
export function start(settings: Settings, captureBy: Capture): Page | void {
  const window = globalThis.self;
  page = (globalThis as { __serviceSDK?: PageState }).__serviceSDK ??= {};
  if (page.on) return warn('1: Init once');
  // Where there is no browser there is no self.
  if (!(settings.apiKey && settings.endpoint && window?.addEventListener)) return warn('2: Check apiKey, endpoint');
  page.on = true;
  options = settings;
  capture = captureBy;
  return window;
}

/** Captures what an adapter has caught, with what it knows: texts, and nobody else's. */
export function captureWith(thrown: unknown, metadata: Record<string, unknown>): void {
  capture(thrown, { ...shared, metadata: { ...shared.metadata, ...metadata } });
}

/** Says more of every report. */
export function share(extras: Extras): void {
  shared = { ...shared, ...extras };
}

/** Waits until every report has its answer: true, or false after `timeoutMs` milliseconds. Never rejects. */
export async function flush(timeoutMs = 2_000): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  // What was captured just now is sent in a later task, which comes before ours.
  do await new Promise((resolve) => setTimeout(resolve, flight[0] && 10));
  while (flight[0] && performance.now() < end);
  return !flight[0];
}

/** Takes every hook away and sends nothing more. init() may be called again. */
export const close = guard((): void => {
  shared = {};
  // Another copy of the SDK may be the one that is started.
  if (options) page.on = false;
  options = undefined;
  undoAll(undos.splice(0));
});
