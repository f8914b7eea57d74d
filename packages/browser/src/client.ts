import { createDedupe } from './dedupe.ts';
import type { DescribeValue, ErrorFields } from './error-to-report.ts';
import { attempt } from './guard.ts';
import type { CoreOptions } from './options.ts';
import { browserGlobal, pageState, type BrowserGlobal } from './page-state.ts';
import type { Teardown } from './patch-method.ts';
import { createRateLimit } from './rate-limit.ts';
import type { BufferedBreadcrumb, CompleteReport, RawReport, ScopeFields, Report } from './report.ts';
import { warn } from './warn.ts';

/** Watches a part of the page: captures its errors or records its breadcrumbs. Returns its teardown. */
export type Instrument = (client: Client, window: BrowserGlobal) => Teardown | Teardown[];

/** An opt-in part of the SDK: what `captureConsole()` and others return. */
export type Integration = Instrument;

/** The options of `@service/browser`. */
export interface Options extends CoreOptions {
  /** Opt-in parts: `captureConsole()`, `captureFailedRequests()`, `offlineStorage()`. */
  integrations?: readonly Integration[] | null | undefined;
}

/** The options after `init()` has read them. An option that was not given, or was null, is undefined. */
export type Settings = { [Name in keyof Options]: Exclude<Options[Name], null> };

/** Sends a report. Never rejects. */
export type Send = (report: Report) => Promise<void>;

/** What an entry point adds to the pipeline. `@service/browser/errors` adds less. */
export interface Parts {
  instruments: readonly Instrument[];
  /** Describes a thrown value that is not an error; by default as `String()` does. */
  describeValue?: DescribeValue;
  /** Returns false for an error that the options of the page drop. */
  passesFilters?(client: Client, fields: ErrorFields): boolean;
  /** Reads the state of the page at an error. Returns a function that adds it to the report. */
  prepareDetails?(client: Client, error: unknown): CompleteReport;
  /** Copies a report without secrets. */
  copyReport(report: RawReport): RawReport;
  createSend(client: Client): Send;
}

/**
 * A client sends the errors of the page to one project. The pipeline of a report: `capture` reads the error, and drops
 * repeats, filtered errors and floods. In a later task, `processReport` completes the report, scrubs it and calls
 * `beforeSend`. `send` delivers it.
 */
export interface Client {
  readonly settings: Settings;
  readonly parts: Parts;
  readonly page: ReturnType<typeof pageState>;
  /** The page's own fetch, before it is patched; undefined if the browser has none. */
  readonly fetch: typeof globalThis.fetch | undefined;
  /** The fields that every report carries. */
  scope: ScopeFields;
  readonly breadcrumbs: Set<BufferedBreadcrumb>;
  readonly dedupe: ReturnType<typeof createDedupe>;
  readonly takeToken: (now: number) => boolean;
  send: Send;
  /** The latest captured value, until the next task. */
  latest?: { value: unknown; eventId: string | undefined } | undefined;
  /** The errors that were captured in this task. */
  readonly queue: (() => Promise<void>)[];
  /** The reports that are processed, sent, or waiting for a retry. */
  readonly pending: Set<Promise<void>>;
  /** True once the page is left: the next task may never run. */
  isLeaving?: boolean;
  /** True while a callback of the page runs: what it captures or records itself would cause an endless loop. */
  isInCallback?: boolean;
  /** True once nothing more is captured. */
  isClosed?: boolean;
  /** True once nothing more is sent. */
  isEnded?: boolean;
  /** Called when a request of the page has ended. */
  onRequestEnd?: ((request: { method: string; url: string; status: number }) => void) | undefined;
  /** Called when a report begins to wait for the network, and when it no longer waits. */
  onWait?: ((report: Report, isWaiting: boolean) => void) | undefined;
  readonly teardowns: Teardown[];
  /** The warnings that were written. */
  readonly warned: Set<string>;
}

/** Starts a client: installs its hooks. Returns undefined with a warning if options are missing. */
export function startClient(settings: Settings, parts: Parts): Client | undefined {
  const window = browserGlobal();
  if (!window) return;
  if (!settings.apiKey || !settings.endpoint) return void warn(2, 'init() needs apiKey and endpoint');
  const client: Client = {
    settings,
    parts,
    page: pageState(),
    fetch: window.fetch,
    scope: {},
    breadcrumbs: new Set(),
    dedupe: createDedupe(),
    takeToken: createRateLimit(),
    send: (report) => send(report),
    queue: [],
    pending: new Set(),
    teardowns: [],
    warned: new Set(),
  };
  const send = parts.createSend(client);
  for (const instrument of [...parts.instruments, ...(settings.integrations ?? [])]) {
    client.teardowns.push(...[guard(client, () => instrument(client, window))].flat());
  }
  return client;
}

/** Returns whether the server has rejected the key, or the quota is used up, until the page is reloaded. */
export function isStopped({ settings, page }: Client): boolean {
  return page.stopped.has(settings.apiKey);
}

/** Calls `run`. Returns undefined with a warning if it throws, because the SDK must not break the page. */
export function guard<Result>({ warned }: Client, run: () => Result): Result | undefined {
  return attempt(run, (error) => void warn(5, 'Your callback or getter threw', warned, error));
}

/** Calls a callback of the page, and ignores what it captures or records itself. Throws what it throws. */
export function callPage<Result>(client: Client, callback: () => Result): Result {
  client.isInCallback = true;
  try {
    return callback();
  } finally {
    client.isInCallback = false;
  }
}
