import type { Level } from '@service/protocol';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import type { ReportEntry } from '../records/entry.ts';
import { unknownPart } from './newer-format.ts';
import { columnIndex, columnNames, levels, reportColumns } from '../records/columns-and-fields.ts';

/** The level is written before the texts, in one number with `reopens`. */
const levelIndex = columnIndex.level;
const emptyValues: readonly (string | null)[] = columnNames.map((name) =>
  reportColumns[name].type === 'text' ? '' : null,
);

export function writeReport(entry: ReportEntry, to: BytesWriter): void {
  const { values } = entry;
  to.uint(entry.id);
  to.uint(entry.project_id);
  to.uint(entry.group_id);
  to.uint(entry.at);
  to.uint(entry.body_bytes);
  to.uint(levels.indexOf(values[levelIndex] as Level) * 2 + (entry.reopens ? 1 : 0));
  for (let index = 0; index < values.length; index++) if (index !== levelIndex) to.text(values[index] ?? null);
}

export function readReport(from: BytesReader): ReportEntry {
  const id = from.uint();
  const project_id = from.uint();
  const group_id = from.uint();
  const at = from.uint();
  const body_bytes = from.uint();
  const flags = from.uint();
  const level = levels[flags >>> 1] ?? 'error';
  const values = emptyValues.slice();
  for (let index = 0; index < values.length; index++) {
    // An entry that was written before a column existed ends before it.
    if (index !== levelIndex && !from.isAtEnd) values[index] = from.text() ?? values[index] ?? null;
  }
  if (!from.isAtEnd) throw unknownPart('reports with unknown columns');
  values[levelIndex] = level;
  return { kind: 'report', id, project_id, group_id, at, reopens: flags % 2 === 1, values, body_bytes };
}
