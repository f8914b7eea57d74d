import type { Report } from './report.ts';

/** The fields of a report that the page sets, apart from the error itself. */
export type Scope = Pick<Report, 'level' | 'metadata' | 'user'>;

/** The fields that every report carries until `close()`. */
export let scope: Scope = {};

/** Merges fields into the scope of every later report. */
export function updateScope(changes: Scope): void {
  scope = { ...scope, ...changes };
}

export function clearScope(): void {
  scope = {};
}
