import type { ExceptionRelation } from '@service/protocol';
import type { GroupedFrame } from './grouped-frame.ts';
import type { GroupingVersion } from './grouping-version.ts';

/** The parts of a report that decide its group. */
export interface FingerprintInput {
  /** The error class. If it is null, the class is read from the message. */
  readonly type: string | null;
  readonly message: string;
  /** Top first, resolved where source maps exist. */
  readonly frames: readonly GroupedFrame[];
  /** Outermost first. */
  readonly causes: readonly GroupedCause[];
  /** The URL of the page. */
  readonly url: string | null;
  /** The version of the rules. Default: the current one. */
  readonly version?: GroupingVersion;
}

export interface GroupedCause {
  readonly type: string | null;
  readonly message: string | null;
  readonly frames: readonly GroupedFrame[];
  /** Absent if the stack does not show the relation, as in browsers. */
  readonly relation?: ExceptionRelation;
}
