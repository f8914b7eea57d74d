import { checkOptions } from './check-options.ts';
import type { DescribeValue } from './error-to-report.ts';
import { attempt } from './guard.ts';
import type { CoreOptions } from './options.ts';
import { pageState, type BrowserGlobal } from './page-state.ts';
import type { BufferedBreadcrumb, RawReport, ScopeFields, Report } from './report.ts';
import { warn } from './warn.ts';

/** Watches a part of the page until the client is closed: captures its errors or records its breadcrumbs. */
export type Instrument = (client: Client) => void;

/** An opt-in part of the SDK: what `captureConsole()` and others return. */
export type Integration = Instrument;

/** The options of `@service/browser`. */
export interface Options extends CoreOptions {
  /** Opt-in parts: `captureConsole()`, `captureFailedRequests()`, `offlineStorage()`. */
  integrations?: readonly Integration[] | null | undefined;
}

/** A copy of the options. An option that is missing, undefined or null has its default. */
export type Settings = Options;

/**
 * Returns whether an error may be reported. Errors with the same identity, a text or the thrown value, are repeats of each
 * other. `isEarly` says that the error happened before `init()`.
 */
export type Gate = (client: Client, report: RawReport, identity: unknown, isEarly: boolean) => boolean;

/** Sends a report. Never rejects. */
export type Send = (client: Client, report: Report) => Promise<void>;

/** What an entry point adds to the pipeline. `@service/browser/errors` adds less. */
export interface Parts {
  /** Starts the instruments and the integrations. */
  install(client: Client): void;
  /** Captures a resource that failed to load. */
  captureResource?(client: Client, event: Event, early?: number): void;
  /** Describes a thrown value that is not an error. */
  describeValue: DescribeValue;
  createGate(): Gate;
  /** Adds to a report what its error does not say. */
  addDetails?(report: RawReport, error: unknown, breadcrumbs: BufferedBreadcrumb[]): RawReport;
  /** Copies a report without secrets. */
  copyReport(report: RawReport): Omit<Report, 'project_api_key'>;
  createSend(): Send;
}

/**
 * A client sends the errors of the page to one project. The pipeline of a report: `capture` reads the message of the
 * error; in a later task it reads the rest, and drops repeats, filtered errors and floods. `processReport` completes the
 * report, scrubs it and calls `beforeSend`. `send` delivers it.
 */
export interface Client {
  readonly settings: Settings;
  readonly parts: Parts;
  readonly window: BrowserGlobal;
  readonly page: ReturnType<typeof pageState>;
  /** The page's own fetch, before it is patched. */
  readonly fetch: typeof globalThis.fetch;
  /** The fields that every report carries. */
  scope: ScopeFields;
  readonly breadcrumbs: Set<BufferedBreadcrumb>;
  readonly accept: Gate;
  readonly send: Send;
  /** The latest captured value, until the next task. `read` queues its report. */
  latest?: { value: unknown; eventId: string; read: () => void } | undefined;
  /** The reports of the errors that were captured in this task. */
  readonly queue: (() => Promise<void>)[];
  /** The reports that are processed, sent, or waiting for a retry. */
  readonly pending: Set<Promise<void>>;
  /** True once the page is left: the next task may never run. */
  isLeaving?: boolean;
  /** True while a callback of the page runs: what it captures or records itself would cause an endless loop. */
  isInCallback?: boolean;
  /** True once `close()` has sent the last report. */
  isEnded?: boolean;
  /** Called when a request of the page has ended. */
  onRequestEnd?: ((request: { method: string; url: string; status: number }) => void) | undefined;
  /** Called when a report begins to wait for the network, and when it no longer waits. */
  onWait?: ((report: Report, isWaiting: boolean) => void) | undefined;
  /** Undo what the instruments have installed. */
  readonly teardowns: (() => void)[];
  /** The warnings that were written. */
  readonly warned: Set<string>;
}

/** Copies the options of the page. Options that cannot be read are missing. */
export function readOptions(options: Options): Settings {
  return attempt(() => checkOptions({ ...options })) ?? { apiKey: '', endpoint: '' };
}

/** Starts a client: installs its hooks. Returns undefined with a warning if options are missing. */
export function startClient(window: BrowserGlobal, settings: Settings, parts: Parts): Client | undefined {
  if (!settings.apiKey || !settings.endpoint) return void warn(2, 'init() needs apiKey and endpoint');
  const client: Client = {
    settings,
    parts,
    window,
    page: pageState(),
    fetch: window.fetch,
    scope: {},
    breadcrumbs: new Set(),
    accept: parts.createGate(),
    send: parts.createSend(),
    queue: [],
    pending: new Set(),
    teardowns: [],
    warned: new Set(),
  };
  parts.install(client);
  return client;
}

/** Returns whether nothing more is sent: after `close()`, or because the server has rejected the key or the quota. */
export function isStopped({ settings, page, isEnded }: Client): boolean {
  return isEnded === true || page.stopped.has(settings.apiKey);
}

/** Calls `run`. Returns undefined with a warning if it throws, because the SDK must not break the page. */
export function guard<Result>(client: Client, run: () => Result): Result | undefined {
  return attempt(run, (error) => void warn(5, 'Your callback or getter threw', client, error));
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
