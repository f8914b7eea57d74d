/** The window of a page, or the global scope of a worker. */
export type GlobalWindow = Window & typeof globalThis;

/** An error event that the loader snippet may have kept until `init()`. */
export interface EarlyEvent extends Event {
  /** The time of the event, in milliseconds since 1970. Set by the loader snippet only. */
  early?: number;
}

/**
 * The state on `window.__serviceSDK`. All copies of the SDK on a page share it, and it outlives `close()`: it lasts until
 * the page is reloaded. Created by `init()` or by the loader snippet, never by an import.
 *
 * The names `early` and `undo` are fixed: loader snippets that are pasted into pages use them.
 */
export interface GlobalState {
  /** The error events that the loader kept before `init()`; 0 once they are drained. */
  early?: EarlyEvent[] | 0;
  /** Drains the early errors: removes the loader's listeners, passes each event to `capture` and empties `early`. */
  undo?(capture: (event: EarlyEvent) => void): void;
  /** True while a copy of the SDK is started. */
  started?: boolean;
  /** True once nothing may be sent until the page is reloaded (401 or 429). Also set during `beforeSend`. */
  disabled?: boolean;
}
