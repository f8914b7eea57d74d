import type { Frame } from '@service/protocol';
import type { StackFrame } from './stack-frame.ts';

/**
 * A frame of a report, for display and grouping. `resolved` is true if a source map gave its position, or if its source
 * lines came with the stack.
 */
export type ReportFrame = Frame & {
  /** The line of the stack trace that it was made from. */
  raw: StackFrame;
  /** Set if `function` was read in the source itself. It is then correct, even if it is null. */
  named?: true;
  /** Set if the source could not be read in time: `function` may differ the next time the stack is resolved. */
  isNameLate?: true;
  /** Set if the source was costly to read: `function` may be late the next time. */
  isNameCostly?: true;
  /** The first known path of `file`, if the file was renamed since. */
  oldestPath?: string;
  /** The function that this frame calls, if the engine elided the frame of that function. `file` is the oldest path. */
  callee?: { file: string; function: string };
};
