import type { RawFrame } from '@service/protocol';

/**
 * One line of a stack trace, as the browser told it. Code without a file of its own (the engine's, `eval`'s, the
 * console's) has `file: null`. The flags are only there when true, so that most frames travel as the `raw` they are.
 */
export interface StackFrame extends RawFrame {
  /** The engine's own code: `forEach@[native code]`, `at Array.map (<anonymous>)`, `at Promise.all (index 1)`. */
  native?: true;
  /** Code made at run time by `eval` or `new Function`: its lines count from the start of that text. */
  eval?: true;
  /** Not a caller, but who awaits or scheduled: V8's `at async f`, SpiderMonkey's `async*f@`. JavaScriptCore has none. */
  async?: true;
}
