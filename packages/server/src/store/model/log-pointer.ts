import type { BodySpan } from '../records/entry.ts';

/** Locates a stored report in the log. */
export interface LogPointer extends BodySpan {
  id: number;
  /** When it was received, in milliseconds since 1970. */
  at: number;
  position: number;
}
