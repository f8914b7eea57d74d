import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import type { ReportEntry } from '../records/entry.ts';
import { recordShape } from '../records/record-shape.ts';
import { levels, reportColumns, type ColumnName, type ReportValues } from '../records/report-columns.ts';

const columns = Object.keys(reportColumns) as ColumnName[];
/** The level is written before the texts, in one number with `reopens`. */
const textColumns = columns
  .filter((name): name is Exclude<ColumnName, 'level'> => reportColumns[name].type !== 'level')
  .map((name) => ({ name, empty: reportColumns[name].type === 'text' ? '' : null }));
const noValues = recordShape(columns);

export function writeReport(entry: ReportEntry, to: BytesWriter): void {
  const { values } = entry;
  to.uint(entry.id);
  to.uint(entry.project_id);
  to.uint(entry.group_id);
  to.uint(entry.at);
  to.uint(entry.body_bytes);
  to.uint(levels.indexOf(values.level) * 2 + (entry.reopens ? 1 : 0));
  for (const { name } of textColumns) to.text(values[name]);
}

export function readReport(from: BytesReader): ReportEntry {
  const id = from.uint();
  const project_id = from.uint();
  const group_id = from.uint();
  const at = from.uint();
  const body_bytes = from.uint();
  const flags = from.uint();
  const values: Record<string, unknown> = { ...noValues };
  values.level = levels[flags >>> 1] ?? 'error';
  // An entry that was written before a column existed ends before it.
  for (const { name, empty } of textColumns) values[name] = from.isAtEnd ? empty : (from.text() ?? empty);
  const reopens = flags % 2 === 1;
  return { kind: 'report', id, project_id, group_id, at, reopens, values: values as ReportValues, body_bytes };
}
