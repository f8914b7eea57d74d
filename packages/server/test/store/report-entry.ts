import type { ReportEntry } from '../../src/store/records/entry.ts';
import type { ReportValues } from '../../src/store/records/report-columns.ts';

const emptyValues: ReportValues = {
  event_id: null,
  type: null,
  message: 'It broke',
  culprit: null,
  level: 'error',
  environment: null,
  release: null,
  url: null,
  browser: null,
  os: null,
  user_id: null,
};

/** Returns the entry of a report with only a message, and the given columns and fields. */
export function reportEntry(fields: Partial<Omit<ReportEntry, 'values'> & ReportValues> = {}): ReportEntry {
  const { kind = 'report', id = 7, project_id = 1, group_id = 1, at = 1_763_740_000_000, ...others } = fields;
  const { reopens = false, body_bytes = 0, ...values } = others;
  return { kind, id, project_id, group_id, at, reopens, body_bytes, values: { ...emptyValues, ...values } };
}
