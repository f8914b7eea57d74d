import type { ContextLine, RawFrame } from '@service/protocol';

/**
 * One frame of a stack trace, as the client reported it. Code without a file, such as the engine's, has `file: null`.
 * The flags are set only when true, so that most frames are sent to clients as `raw` without a copy.
 */
export interface StackFrame extends RawFrame {
  /** The engine's own code: `forEach@[native code]`, `at Array.map (<anonymous>)`, `at Promise.all (index 1)`. */
  native?: true;
  /**
   * Code from `eval` or `new Function`, or of a structured exception without a file. The position is that of the
   * evaluating script if the engine reports it, as V8 does. Otherwise there is no file, and lines count from the start
   * of the evaluated text.
   */
  eval?: true;
  /**
   * Not a caller, but a function that awaits or scheduled the call: V8's `at async f`, SpiderMonkey's `async*f@`.
   * JavaScriptCore has no such frames.
   */
  async?: true;
  /** A frame without a name: SDKs remove V8's `async` from it, so it may await the call. See `markAwaitingCallers`. */
  mayAwait?: true;
  /** Source lines that came with the stack: Python prints the line of each call. */
  context?: readonly ContextLine[];
  /** Source lines of a script that may be generated. Shown if no source map has others, and not used for grouping. */
  sentContext?: readonly ContextLine[];
  /** The module as the program imports it: `shop.cart`. Sent with structured exceptions only, like the next two. */
  module?: string;
  /**
   * The client's mark: true for the app's code, false for a library's. Absent if the client marks no frame as the
   * app's. See `frameOfOrigin`.
   */
  in_app?: boolean;
  variables?: Readonly<Record<string, string>>;
}
