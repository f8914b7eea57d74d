/** The window of the page, or the global scope of a worker. */
export type Page = Window & typeof globalThis;

/**
 * What all copies of the SDK on a page have in common, and what outlives close(): it is gone with the page only.
 * Made by init() or by the loader's snippet, never by an import.
 */
export interface PageState {
  /** What failed before init(), kept by the loader. */
  early?: (ErrorEvent | PromiseRejectionEvent)[];
  /** Takes the loader's listeners away, and `early`. */
  undo?: () => void;
  /** Whether a copy of the SDK is started. */
  on?: boolean;
  /** Whether the server has said 429. */
  stop?: boolean;
}

/** The state of this page. */
export function pageState(): PageState {
  const page = globalThis as { __serviceSDK?: PageState };
  return (page.__serviceSDK ??= {});
}
