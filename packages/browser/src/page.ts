/** The window of the page, or the global scope of a worker. */
export type Page = Window & typeof globalThis;

/** An event that the loader may have kept. */
export interface EarlyEvent extends Event {
  /** When it happened, in milliseconds since 1970, if it has been kept. */
  early?: number;
}

/**
 * What all copies of the SDK on a page have in common, and what outlives close(): it is gone with the page only.
 * Made by init() or by the loader's snippet, never by an import.
 */
export interface PageState {
  /** What failed before init(), kept by the loader; 0 once it has been handed over. */
  early?: EarlyEvent[] | 0;
  /** Takes the loader's listeners away, hands over what is `early`, and forgets it. */
  undo?(take: (event: EarlyEvent) => void): void;
  /** Whether a copy of the SDK is started. */
  on?: boolean;
  /** Whether nothing may be sent until the page is reloaded. */
  stop?: boolean;
}
