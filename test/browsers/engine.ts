/** A browser engine that tests drive. */
export interface Engine {
  name: 'Chromium' | 'Firefox' | 'WebKit';
  /** The packages that have to be installed to try it; undefined if all of it is there. */
  missing: string | undefined;
  /** Starts one browser process with one tab. */
  launch(): Promise<Tab>;
}

/** The one tab of a running browser. */
export interface Tab {
  /** The engine and its version, as the browser tells it. */
  version: string;
  /** Resolves when the page has loaded, whatever its scripts have thrown. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** The value of an expression in the page, awaited if it is a promise. It travels as text. */
  evaluate(expression: string): Promise<string>;
  /** Clicks as a user does: by the mouse, in the middle of what is shown. */
  click(selector: string): Promise<void>;
  /** Takes the network away and gives it back. Absent where the engine gives tests no means to do so. */
  setOffline?: (isOffline: boolean) => Promise<void>;
  /** The bytes of the page's JavaScript heap after a collection. Absent where the engine does not tell. */
  heapBytes?: () => Promise<number>;
  /** Ends the browser. */
  close(): Promise<void>;
}
