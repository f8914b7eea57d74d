import type { Grouping } from '@service/protocol';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import type { ReportEntry } from '../records/entry.ts';
import { groupFields, type FieldName, type GroupField, type KindOf, type SourceOf } from '../records/report-columns.ts';
import { recordShape } from '../records/record-shape.ts';
import type { DistinctCount } from './distinct-count.ts';
import { codecOf, type FieldCodec } from './field-codecs.ts';
import type { RecentCounts } from './recent-counts.ts';
import type { TopValues } from './top-values.ts';

interface ValuesByKind<Source> {
  counts: TopValues;
  latest: Source;
  last: Source;
  first: Source;
  distinct: DistinctCount;
  hours: RecentCounts;
  days: RecentCounts;
  time: number | null;
  number: number;
  grouping: Grouping;
}

/** What a group stores, by field. */
export type GroupValues = { [Name in FieldName]: ValuesByKind<SourceOf<Name>>[KindOf<Name>] };

export type StoredField = FieldCodec<unknown> & { readonly name: FieldName; readonly field: GroupField };

/** The fields of a group in their order on disk, each with its codec. Composed once, at start-up. */
export const storedFields: readonly StoredField[] = groupFields.map((field) => ({
  name: field.name,
  field,
  ...codecOf(field),
}));

const noValues = recordShape(storedFields.map(({ name }) => name));

/** Returns the values of a group that a report opens, with that report counted. */
export function openValues(report: ReportEntry, grouping: Grouping): GroupValues {
  const values: Record<string, unknown> = { ...noValues };
  for (const field of storedFields) values[field.name] = field.open(report, grouping);
  return values as GroupValues;
}

/** Counts a report. */
export function addToValues(groupValues: GroupValues, report: ReportEntry): void {
  const values: Record<string, unknown> = groupValues;
  for (const field of storedFields) values[field.name] = field.add(values[field.name], report);
}

export function packValues(groupValues: GroupValues, to: BytesWriter): void {
  const values: Record<string, unknown> = groupValues;
  for (const field of storedFields) field.pack(values[field.name], to);
}
