import type { ExceptionRelation } from '@service/protocol';
import type { Heading } from './heading.ts';
import type { StackFrame } from './stack-frame.ts';

/** One error of a trace: its class and message, if the trace has them, and its frames, top first. */
export interface StackSection extends Heading {
  readonly frames: readonly StackFrame[];
  /** True if the client made the stack for something that has none, such as a thrown string. */
  readonly isSynthetic?: boolean;
}

/** A cause, or a member of a group of errors. */
export interface CauseSection extends StackSection {
  /** How it relates to the error before it. Absent if the stack does not show it, as in browsers. */
  readonly relation?: ExceptionRelation;
}

export interface ParsedStack extends StackSection {
  /** Causes and the members of an AggregateError, outermost first. */
  readonly causes: readonly CauseSection[];
}
