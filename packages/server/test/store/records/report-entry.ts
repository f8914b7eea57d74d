import type { ReportEntry } from '../../../src/store/records/entry.ts';
import { columnValues, reportColumns, type ReportValues } from '../../../src/store/records/columns-and-fields.ts';

const emptyOf = { text: 'It broke', 'text?': null, level: 'error' } as const;
/** The columns of a report with only a message. */
export const emptyValues = Object.fromEntries(
  Object.entries(reportColumns).map(([name, { type }]) => [name, emptyOf[type]]),
) as ReportValues;

/** Returns the entry of a report with only a message, and the given columns and fields. */
export function reportEntry(fields: Partial<Omit<ReportEntry, 'values'> & ReportValues> = {}): ReportEntry {
  const { kind = 'report', id = 7, project_id = 1, group_id = 1, at = 1_763_740_000_000, ...others } = fields;
  const { reopens = false, body_bytes = 0, ...values } = others;
  return {
    kind,
    id,
    project_id,
    group_id,
    at,
    reopens,
    body_bytes,
    values: columnValues({ ...emptyValues, ...values }),
  };
}
