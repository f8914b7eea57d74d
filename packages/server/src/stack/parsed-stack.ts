import type { Heading } from './heading.ts';
import type { StackFrame } from './stack-frame.ts';

/** One error of a trace: its class and message, as far as the trace tells them, and its frames, top first. */
export interface StackSection extends Heading {
  readonly frames: readonly StackFrame[];
}

export interface ParsedStack extends StackSection {
  /** The errors this one was made from, outermost first: causes, and the members of an AggregateError. */
  readonly causes: readonly StackSection[];
}
