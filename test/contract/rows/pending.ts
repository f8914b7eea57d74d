import type { RowId } from '../rows.ts';

/** Rows that no test proves yet, for what they speak of is still to come. */
export const pending: RowId[] = [
  'conv.openapi.page',
  'program.metrics.token',
  'program.metrics.loopback',
  'program.metrics.text',
  'program.problems_page',
  'program.backup',
  'program.backup.memory',
  'program.restore.stopped',
  'program.plan',
  'program.sqlite',
];
