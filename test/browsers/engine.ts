/** A browser engine that the tests control. */
export interface Engine {
  name: 'Chromium' | 'Firefox' | 'WebKit';
  /** The apt packages that are missing; undefined if the engine is installed. */
  missing: string | undefined;
  /** Starts one browser process with one tab. */
  launch(): Promise<Tab>;
}

/** The one tab of a running browser. */
export interface Tab {
  /** The engine and its version, as the browser reports it. */
  version: string;
  /** Resolves when the page has loaded, even if its scripts throw. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Evaluates an expression in the page. Awaits a promise, and returns the value as a string. */
  evaluate(expression: string): Promise<string>;
  /** Clicks the center of an element with the mouse. */
  click(selector: string): Promise<void>;
  /** Switches the page's network off and on. Absent if the engine cannot. */
  setOffline?: (isOffline: boolean) => Promise<void>;
  /** Returns the bytes of the page's JavaScript heap after a garbage collection. Absent if the engine cannot. */
  heapBytes?: () => Promise<number>;
  /** Closes the browser. */
  close(): Promise<void>;
}
