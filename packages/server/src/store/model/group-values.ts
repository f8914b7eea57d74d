import type { Grouping } from '@service/protocol';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import type { ReportEntry } from '../records/entry.ts';
import {
  columnIndex,
  columnNames,
  groupFields,
  type FieldName,
  type GroupField,
  type KindOf,
  type SourceOf,
} from '../records/columns-and-fields.ts';
import type { DistinctCount } from '../structures/distinct-count.ts';
import { areTagsLimited, unpackTags } from '../records/packed-tags.ts';
import { codecOf, countedText, type FieldCodec } from './field-codecs.ts';
import type { RecentCounts } from '../structures/recent-counts.ts';
import type { TagCounts } from '../structures/tag-counts.ts';
import { shiftTime, type TimeShift } from '../records/time-shift.ts';
import type { TopValues } from '../structures/top-values.ts';

interface ValuesByKind<Source> {
  counts: TopValues;
  latest: Source;
  last: Source;
  first: Source;
  distinct: DistinctCount;
  tags: TagCounts;
  hours: RecentCounts;
  days: RecentCounts;
  time: number | null;
  number: number;
  grouping: Grouping;
}

/** The type of a field's value. */
export type ValueOf<Name extends FieldName> = ValuesByKind<SourceOf<Name>>[KindOf<Name>];

/**
 * The values of a group, in the order of `groupFields`. An array, because V8 reads an element many times as fast as a
 * property whose name varies.
 */
export type GroupValues = unknown[];

/** A field of a group with its codec. Names the type of its values. */
export interface StoredField<Name extends FieldName = FieldName> extends FieldCodec<unknown> {
  readonly name: Name;
  /** The index of its value in `GroupValues`. */
  readonly index: number;
  readonly field: GroupField;
}

/** The fields of a group in their order on disk, each with its codec. Composed once, at start-up. */
export const storedFields: readonly StoredField[] = groupFields.map((field, index) => ({
  name: field.name,
  index,
  field,
  ...codecOf(field),
}));

export function storedField<Name extends FieldName>(name: Name): StoredField<Name> {
  return storedFields.find((field) => field.name === name) as StoredField<Name>;
}

export function fieldValue<Name extends FieldName>(values: GroupValues, field: StoredField<Name>): ValueOf<Name> {
  return values[field.index] as ValueOf<Name>;
}

/** Plain fields come first: they are found without reading what precedes them. */
export const plainFieldCount = storedFields.filter(isPlain).length;
if (!storedFields.slice(0, plainFieldCount).every(isPlain)) throw new RangeError('Plain fields come first.');

function isPlain({ field }: StoredField): boolean {
  return field.kind === 'counts' && field.plain === true;
}

/** Returns the values of a group that a report opens, with that report counted. */
export function openValues(report: ReportEntry, grouping: Grouping): GroupValues {
  const values = storedFields.map((field) => field.empty());
  for (const { index, column } of firstFields) values[index] = report.values[column] ?? null;
  values[groupingField.index] = grouping;
  addToValues(values, report);
  return values;
}

/*
 * The fields that reports set, by kind. Counting a report has a loop per kind: in a single loop over all fields, each
 * call has another target, so V8 can't inline it.
 */
const countsFields = columnFieldsOf('counts').map((field) => ({
  ...field,
  cut: countedText(columnNames[field.column] ?? 'url'),
}));
const tagsColumn = columnIndex.tags;
const latestFields = columnFieldsOf('latest');
const lastFields = columnFieldsOf('last');
const firstFields = columnFieldsOf('first');
const distinctFields = columnFieldsOf('distinct');
const tagsFields = columnFieldsOf('tags');
const recentFields = storedFields.filter(({ field }) => field.kind === 'hours' || field.kind === 'days');
const timeFields = storedFields.filter(({ field }) => field.kind === 'time');
const groupingField = storedField('grouping');

/** Counts a report. */
export function addToValues(values: GroupValues, { at, values: columns }: ReportEntry): void {
  for (const { index, column } of latestFields) setText(values, index, columns[column] ?? null);
  for (const { index, column } of lastFields) {
    const text = columns[column] ?? null;
    if (text !== null) setText(values, index, text);
  }
  const admitsNew = !areTagsLimited(columns[tagsColumn] ?? null);
  for (const { index, column, cut } of countsFields) {
    const value = columns[column] ?? null;
    if (value !== null) (values[index] as TopValues).add(cut(value), admitsNew);
  }
  for (const { index, column } of distinctFields) {
    const value = columns[column] ?? null;
    if (value !== null) (values[index] as DistinctCount).add(value);
  }
  for (const { index, column } of tagsFields) {
    const packed = columns[column] ?? null;
    if (packed !== null) addTags(values[index] as TagCounts, packed);
  }
  for (const { index } of recentFields) (values[index] as RecentCounts).add(at);
}

/** Corrects the times of a group. */
export function shiftValues(values: GroupValues, shift: TimeShift): void {
  for (const { index } of recentFields) (values[index] as RecentCounts).shiftTimes(shift);
  for (const { index } of timeFields) {
    const at = values[index] as number | null;
    if (at !== null) values[index] = shiftTime(at, shift);
  }
}

function addTags(counts: TagCounts, packed: string): void {
  const { tags, areLimited } = unpackTags(packed);
  for (const { name, value } of tags) counts.add(name, value, !areLimited);
}

/** Usually the texts are equal. Keeping the old string spares the garbage collector from promoting the new one. */
function setText(values: GroupValues, index: number, text: string | null): void {
  if (values[index] !== text) values[index] = text;
}

/** Lists the fields of a kind that a column of reports sets. */
function columnFieldsOf(kind: GroupField['kind']): { index: number; column: number }[] {
  return storedFields.flatMap(({ index, field }) =>
    field.kind === kind && 'of' in field ? { index, column: columnIndex[field.of] } : [],
  );
}

/** The values of a group and the times that order them among those of merged groups. */
interface DatedValues {
  values: GroupValues;
  firstSeenAt: number;
  lastSeenAt: number;
}

/** Returns the values of merged groups as if they were one group: `target`, into which the others are merged. */
export function combineValues(target: DatedValues, others: readonly DatedValues[]): GroupValues {
  const all = [target, ...others];
  const newestFirst = all.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt);
  const oldestFirst = all.toSorted((a, b) => a.firstSeenAt - b.firstSeenAt);
  return storedFields.map((field) => {
    const valuesOf = (groups: readonly DatedValues[]): unknown[] => groups.map(({ values }) => values[field.index]);
    switch (field.field.kind) {
      case 'latest':
        return valuesOf(newestFirst)[0];
      case 'last':
        return valuesOf(newestFirst).find((value) => value !== null) ?? null;
      case 'first':
        return valuesOf(oldestFirst)[0];
      case 'time':
      case 'number':
      case 'grouping':
        return target.values[field.index];
      default:
        return addUp(field.empty() as Summable, valuesOf(all) as Summable[]);
    }
  });
}

/** Values that can be added to those of another group. */
interface Summable {
  addAll(other: Summable): void;
}

function addUp(sum: Summable, values: readonly Summable[]): Summable {
  for (const value of values) sum.addAll(value);
  return sum;
}

export function packValues(values: GroupValues, to: BytesWriter): void {
  for (const field of storedFields) field.pack(values[field.index], to);
}
