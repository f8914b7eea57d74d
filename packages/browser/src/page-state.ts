/** The window of a page, or the global scope of a worker. */
export type BrowserGlobal = Window & typeof globalThis;

/** An error event that the loader snippet may have kept until `init()`. */
export interface EarlyEvent extends Event {
  /** The time of the event, in milliseconds since 1970. Set by the loader snippet only. */
  early?: number;
}

/**
 * The state on `window.__serviceSDK`. All copies of the SDK on a page share it, and it outlives `close()`: it lasts
 * until the page is reloaded. Created by `init()`, `createClient()` or the loader snippet, never by an import.
 *
 * The names `early` and `undo` are fixed: loader snippets that are pasted into pages use them.
 */
export interface PageState {
  /** The error events that the loader kept before `init()`; 0 once they are drained. */
  early?: EarlyEvent[] | 0;
  /** Drains the early errors: removes the loader's listeners, passes each event to `capture` and empties `early`. */
  undo?(capture: (event: EarlyEvent) => void): void;
  /** The API keys of the clients that `init()` has started. */
  started?: Set<string>;
  /** The API keys that the server has rejected (401 or 429): nothing is sent until the page is reloaded. */
  stopped?: Set<string>;
  /** The bytes of the requests without a response. Browsers limit the `keepalive` requests of a page. */
  bytesInFlight?: number;
  /** The URLs of the reports of the clients that `createClient()` or `captureFailedRequests()` has started. */
  reportUrls?: Set<string>;
}

declare global {
  var __serviceSDK: PageState | undefined;
}

type StartedPageState = PageState & Required<Pick<PageState, 'started' | 'stopped' | 'bytesInFlight'>>;

/**
 * Returns the shared state of the page, which the first caller creates. Replaces a state that cannot be used: an
 * element with the id `__serviceSDK`, or the state of another version.
 */
export function pageState(): StartedPageState {
  const state = globalThis.__serviceSDK;
  if (state?.stopped instanceof Set) return state as StartedPageState;
  return (globalThis.__serviceSDK = { ...state, started: new Set(), stopped: new Set(), bytesInFlight: 0 });
}

/**
 * Returns the global object of a page or of a browser's worker. Returns undefined in Node.js, Deno, Bun and edge
 * runtimes.
 */
export function browserGlobal(): BrowserGlobal | undefined {
  const { self } = globalThis;
  if (self?.location && ('document' in self || 'importScripts' in self)) return self;
}
