import type { ClientOperation } from './client-operation.ts';
import type { Rules } from './machine.ts';
import type { Model } from './model.ts';
import type { ObservedProject } from './observed-state.ts';

/** Input of a check: the operations since the last one, the state that the server shows now, and the time. */
export interface Round {
  operations: readonly ClientOperation[];
  seen: readonly ObservedProject[];
  rules: Rules;
  /** The time that the store would now give to a report, in milliseconds since 1970. */
  now: number;
  /** The latest time that the clock has shown. */
  latest: number;
  /** True if the clock has jumped since the last check. Then stored times may have been corrected. */
  hasJumped: boolean;
  /** True if the clock was set right. Then no report is hidden. */
  isClockRight: boolean;
}

export interface CheckedRound extends Round {
  /** The highest ids before these operations. */
  previousIds: Model['lastIds'];
}
