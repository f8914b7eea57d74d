import type { Heading } from './heading.ts';
import type { StackFrame } from './stack-frame.ts';

/** One error of a trace: its class and message, if the trace has them, and its frames, top first. */
export interface StackSection extends Heading {
  readonly frames: readonly StackFrame[];
}

export interface ParsedStack extends StackSection {
  /** Causes and the members of an AggregateError, outermost first. */
  readonly causes: readonly StackSection[];
}
