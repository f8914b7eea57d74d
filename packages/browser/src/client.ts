import { debugIdsOf } from './debug-ids.ts';
import { describeError } from './describe-error.ts';
import { guard } from './guard.ts';
import { listen } from './listen.ts';
import type { Options } from './options.ts';
import { pageState, type Page } from './page.ts';
import { postReport } from './post-report.ts';
import type { Level, Report } from './report.ts';
import { copy } from './scrub.ts';
import { mayPass } from './throttle.ts';
import { connect, isSilent, post, send, settle } from './transport.ts';
import { undoAll, type Undo } from './undo.ts';
import { warn } from './warn.ts';

/** Who sees the page: any id that means something to you, and nothing else. */
export interface User {
  id: string;
}

/** What goes with one report only. */
export interface CaptureContext {
  level?: Level;
  metadata?: Record<string, unknown>;
  user?: User | null;
}

/** What the page may say of a breadcrumb. Whatever is missing is filled in. */
export interface BreadcrumbInput {
  type?: string;
  category?: string;
  /** Becomes `data.message`. */
  message?: string;
  data?: Record<string, unknown>;
}

/** Notes a breadcrumb. `data` is kept as it is until an error is sent: it must be small, and nobody else's. */
export type Note = (type: string, category: string, data: Record<string, unknown>) => void;

/** Puts hooks into a page, and says how each comes out again. */
type Hook = (window: Page) => (Undo | undefined)[];

/** As in package.json; a test compares them. */
const version = '0.1.0';

// One client a page, so its state is the module's.
let options = {} as Options;
let trail: object[] = [];
let metadata: Record<string, unknown> = {};
let user: User | null | undefined;
let undos: (Undo | undefined)[] = [];
let isBusy = false;
let isLeaving = false;
/**
 * While the loader's events come: when the clock was at 0 by which events tell their time. Not always timeOrigin, which
 * a laptop's sleep leaves behind.
 */
let earlyClock = 0;
const queue: object[] = [];

/** Starts with the hooks that are given. Only the first call counts, until close(). */
export const start = guard((given: Options, hook: Hook): void => {
  const state = pageState();
  if (state.on) return warn('Call init() once.');
  options = { ...given };
  const { apiKey, endpoint, transport } = options;
  // Where there is no browser there is no self, but a fetch.
  if (!globalThis.self?.fetch || !apiKey || !endpoint) return warn('init() needs a browser, apiKey and endpoint.');
  state.on = true;
  const { fetch } = self;
  connect(transport ?? ((report) => postReport(report, endpoint, fetch)));
  undos = [...hook(self), listen(self, 'pagehide', leave)];
  earlyClock = Date.now() - performance.now();
  state.early?.forEach((event) => {
    // An event of a node is a resource that failed to load.
    if (!(event.target as Node).nodeType) captureException(event);
  });
  earlyClock = 0;
  state.undo?.();
});

export const note: Note = (type, category, data) => {
  trail.push({ timestamp: new Date(), type, category, data });
  // Written so that it also holds for a number that is none.
  if (!(trail.length <= (options.maxBreadcrumbs ?? 64))) trail.shift();
};

/** Sends what was captured and waits for its task. */
export const drain = guard(() => {
  queue.splice(0).forEach(finish);
});

/** In the page's own handlers of its end there is no later task, unless the page comes back. */
function leave(): void {
  isLeaving = true;
  setTimeout(() => {
    isLeaving = false;
  });
  drain();
}

function finish(raw: object): void {
  const { apiKey, beforeSend } = options;
  isBusy = true;
  const changed = beforeSend && scrubbed(guard(beforeSend)(scrubbed(raw)));
  isBusy = false;
  if (changed !== null) send({ ...(changed?.message ? changed : scrubbed(raw)), project_api_key: apiKey });
}

// What is in a report was cut when it came in; with less than 64 KiB the server takes it.
function scrubbed(report: unknown): Report {
  return copy(report, 60_000) as Report;
}

/**
 * Reports an error that was caught. Anything can be thrown, so anything is taken: also an ErrorEvent or a
 * PromiseRejectionEvent, of which the inner error is reported. `context` counts for this report only.
 */
export const captureException = guard((thrown: unknown, context?: CaptureContext): void => {
  if (!post) return warn('Call init() first.');
  if (isBusy || isSilent()) return;
  const { key, value, ...error } = describeError(thrown);
  // Noise that no code of the page can help.
  if (error.message.startsWith('ResizeObserver loop')) return;
  if (error.message.startsWith('Script error')) return warn('Script error: add crossorigin to the script tag.');
  if (!mayPass(key, value, earlyClock)) return;

  const own = copy(context) as CaptureContext | undefined;
  queue.push({
    ...error,
    user,
    ...own,
    environment: options.environment,
    release: options.release,
    url: location.href,
    timestamp: new Date(earlyClock ? earlyClock + (thrown as Event).timeStamp : Date.now()),
    // Missing where the page came over plain HTTP; the server does without.
    event_id: crypto.randomUUID?.(),
    metadata: { ...metadata, ...own?.metadata },
    breadcrumbs: trail.slice(-100),
    sdk: { name: '@service/browser', version },
    debug_ids: debugIdsOf(error.stacktrace ?? ''),
  });
  // Scrubbing and writing JSON can wait until the page has done what it was about to do, if it is not about to go.
  if (isLeaving) drain();
  else setTimeout(drain);
});

/** Reports a text that is no error; its level is `info` unless the context says otherwise. */
export const captureMessage = guard((text: string, context?: CaptureContext) => {
  captureException(text, { level: 'info', ...context });
});

/** Adds a step to the trail that goes along with the next errors. `data` is copied. */
export const addBreadcrumb = guard(({ type = 'custom', category = type, message, data }: BreadcrumbInput) => {
  note(`${type}`, `${category}`, copy({ message, ...data }, 256) as Record<string, unknown>);
});

/** Tells who sees the page: `{ id }`, at most 200 characters; null for nobody. */
export const setUser = guard((next: User | null) => {
  user = next && { id: `${next.id}` };
});

/** Merges keys into the metadata of every later report; null deletes a key. Values are copied. */
export const setMetadata = guard((changes: Record<string, unknown>) => {
  for (const [key, value] of Object.entries(copy(changes) as object)) metadata[key] = value ?? undefined;
});

/** Waits until every report has its answer: true, or false after `timeoutMs` milliseconds. Never rejects. */
export function flush(timeoutMs = 2_000): Promise<boolean> {
  drain();
  return settle(timeoutMs);
}

/** Takes every hook away and sends nothing more. init() may be called again. */
export function close(): void {
  undoAll(undos)();
  undos = [];
  trail = [];
  metadata = {};
  user = null;
  // Another copy of the SDK may be the one that is started.
  if (post) pageState().on = false;
  connect(undefined);
}
