import type { DescribeValue } from './error-to-report.ts';
import { guard } from './guard.ts';
import type { CoreOptions } from './options.ts';
import { browserGlobal, pageState, type BrowserGlobal, type EarlyEvent } from './page-state.ts';
import { readText } from './read-property.ts';
import type { AddDetails, BufferedBreadcrumb, ErrorReport, RawReport, ScopeFields } from './report.ts';
import { warn } from './warn.ts';

declare global {
  /** The release that the bundler plugin sets. Ignored if it is no text. */
  var __serviceRelease: string | undefined;
}

/** Watches a part of the page until the client is closed: captures its errors or records its breadcrumbs. */
export type Instrument = (client: Client) => void;

/**
 * An opt-in part of the SDK: what `captureConsole()` and others return. It returns `undefined` and not `void`, so that
 * TypeScript rejects `integrations: [captureConsole]`, without the call.
 */
export type Integration = (client: Client) => undefined;

/** The options of `@service/browser`. */
export interface Options extends CoreOptions {
  /** Opt-in parts: `captureConsole()`, `captureFailedRequests()`, `offlineStorage()`. */
  integrations?: readonly Integration[] | null | undefined;
}

/** The options after `init()` has read them. An option that was not given, or was null, is undefined. */
export type Settings = { [Name in keyof Options]: Exclude<Options[Name], null> };

/** An error that was captured in this task. It is held until it is read in a later task. */
interface CapturedError {
  value: unknown;
  event_id: string;
  /** Reads the rest of the error, and reports it unless it is dropped. */
  read(): void;
}

/**
 * Returns the report of an error, or undefined if it is dropped. Errors with the same identity, a text or the thrown
 * value, are repeats of each other. `timestamp` is the time of the error, in milliseconds since 1970. `isEarly` is true
 * if it happened before `init()`.
 */
export type Gate = (
  client: Client,
  identity: unknown,
  timestamp: number,
  isEarly: boolean,
  createReport: () => RawReport,
) => RawReport | undefined;

/** Sends a report. Never rejects. */
export type Send = (client: Client, report: ErrorReport) => Promise<void>;

/**
 * The steps from an error to a sent report. Each entry point has its own; that of `@service/browser/errors` is shorter.
 */
export interface Pipeline {
  instruments: readonly Instrument[];
  /** Captures a resource that failed to load. */
  captureResource?(client: Client, event: EarlyEvent): void;
  /** Describes a thrown value that is not an error. */
  describeValue: DescribeValue;
  /** Decides which errors are reported. */
  gate: Gate;
  /** Reads the state of the page and of the error, if it is one. Returns a function that adds them to the report. */
  prepareDetails?(client: Client, error: unknown): AddDetails;
  /** Copies a report without secrets. */
  copyReport(report: RawReport): Omit<ErrorReport, 'project_api_key'>;
  send: Send;
}

/**
 * A client sends the errors of the page to one project. The pipeline of a report: `capture` reads what the page may
 * change; in a later task it reads the rest, and `gate` drops repeats, filtered errors and floods. `processReport`
 * completes the report, scrubs it and calls `beforeSend`. `send` delivers it.
 */
export interface Client extends Readonly<Pipeline> {
  readonly settings: Settings;
  readonly window: BrowserGlobal;
  readonly page: ReturnType<typeof pageState>;
  /** The page's own fetch, before it is patched; undefined if the browser has none. */
  readonly fetch: typeof globalThis.fetch | undefined;
  /** The fields that every report carries. */
  scope: ScopeFields;
  readonly breadcrumbs: Set<BufferedBreadcrumb>;
  /** The errors that were captured in this task and are not read yet. */
  readonly captured: CapturedError[];
  /** The reports that are processed, sent, or waiting for a retry. */
  readonly pending: Set<Promise<void>>;
  /** True from `pagehide` until a timer of `capture` runs: while the page is left, it may never run. */
  isLeaving?: boolean;
  /** True while a callback of the page runs. What it captures or records is dropped, to prevent an endless loop. */
  isInCallback?: boolean;
  /** True once nothing more is captured. */
  isClosed?: boolean;
  /** True once nothing more is sent. */
  isEnded?: boolean;
  /** Called when a request of the page has ended. */
  onRequestEnd?: ((request: { method: string; url: string; status: number }) => void) | undefined;
  /** Called when a report begins to wait for another attempt to send it, and when it no longer waits. */
  onWait?: ((report: ErrorReport, isWaiting: boolean) => void) | undefined;
  /** Undo what the instruments have installed. */
  readonly teardowns: (() => void)[];
  /** The warnings that were written. */
  readonly warned: Set<string>;
}

/**
 * Starts a client: installs its hooks. Returns undefined outside a browser, and, with a warning, without `apiKey` or
 * `endpoint`.
 */
export function startClient(settings: Settings, pipeline: Pipeline): Client | undefined {
  const window = browserGlobal();
  if (!window) return;
  if (!settings.apiKey || !settings.endpoint) return warn(2, 'init() needs apiKey and endpoint');
  const client: Client = {
    ...pipeline,
    settings,
    window,
    page: pageState(),
    fetch: window.fetch,
    scope: {
      environment: settings.environment,
      release: settings.release || readText(globalThis, '__serviceRelease') || undefined,
    },
    breadcrumbs: new Set(),
    captured: [],
    pending: new Set(),
    teardowns: [],
    warned: new Set(),
  };
  for (const instrument of [...pipeline.instruments, ...Object.values(settings.integrations ?? [])]) {
    guard(client, () => instrument(client));
  }
  return client;
}

/** Returns whether nothing more is sent: after `close()`, or after a 401 or a 429. */
export function isStopped({ settings, page, isEnded }: Client): boolean {
  return isEnded || page.stopped.has(settings.apiKey);
}
