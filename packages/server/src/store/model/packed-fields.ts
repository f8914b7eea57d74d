import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import { facetColumns, type FieldName, type FilterName, type GroupField } from '../records/report-columns.ts';
import { recordShape } from '../records/record-shape.ts';
import { packTime } from './field-codecs.ts';
import { storedFields, type GroupValues, type StoredField } from './group-fields.ts';
import { TopValues } from './top-values.ts';

/*
 * Reads single fields of a packed group. Fields at the beginning that are written plain need nothing of what precedes
 * them, which makes filters and starts quick.
 */

const plainFields = storedFields.findIndex(({ field }) => !isPlain(field));
if (storedFields.some(({ field }, index) => isPlain(field) && index >= plainFields))
  throw new RangeError('Plain fields come first: they are found without reading what precedes them.');

/** Lists what to do with each field of a packed group up to the last of these. */
function stepsTo(names: readonly FieldName[]): { field: StoredField; takes: boolean; read: StoredField['unpack'] }[] {
  const isWanted = ({ name }: StoredField): boolean => names.includes(name);
  const end = storedFields.findLastIndex(isWanted) + 1;
  const lastText = storedFields.findLastIndex((field) => isWanted(field) && field.hasText);
  return storedFields.slice(0, end).map((field, index) => {
    if (isWanted(field)) return { field, takes: true, read: field.unpack };
    // Later text may refer to the text of this field.
    return { field, takes: false, read: field.hasText && index < lastText ? field.unpack : field.skip };
  });
}

/** Composes a function that reads these fields of a packed group. What follows the last of them is not read. */
export function fieldsReader<Name extends FieldName>(
  names: readonly Name[],
): (from: BytesReader) => Pick<GroupValues, Name> {
  const steps = stepsTo(names);
  const shape = recordShape(names);
  return (from) => {
    const values: Record<string, unknown> = { ...shape };
    for (const { field, takes, read } of steps) {
      const value = from.isAtEnd ? field.empty() : read(from);
      if (takes) values[field.name] = value;
    }
    return values as Pick<GroupValues, Name>;
  };
}

/** Composes a function that fills in a record with what the API shows of these fields. */
export function shownFieldsReader(
  names: readonly FieldName[],
): (from: BytesReader, record: Record<string, unknown>, now: number) => void {
  const steps = stepsTo(names);
  return (from, record, now) => {
    for (const { field, takes, read } of steps) {
      const value = from.isAtEnd ? field.empty() : read(from);
      if (takes) record[field.name] = field.show(value, now);
    }
  };
}

export const unpackValues: (from: BytesReader) => GroupValues = fieldsReader(storedFields.map(({ name }) => name));

/** Whether any report of a packed group had this value. `plain` is the value as `plainText` writes it. */
type FilterTest = (group: BytesReader, value: string, plain: Buffer) => boolean;

/** The fields that lists can be filtered by. */
export const filterFields = storedFields.flatMap((stored, index) =>
  stored.field.kind === 'counts' && stored.field.filter !== undefined
    ? { filter: stored.field.filter as FilterName, name: stored.name, index }
    : [],
);

export const filterTests = Object.fromEntries(
  filterFields.map(({ filter, name, index }) => [filter, index < plainFields ? plainTest(index) : readTest(name)]),
) as Record<FilterName, FilterTest>;

function plainTest(index: number): FilterTest {
  return (group, _value, plain) => {
    for (let before = index; before > 0; before--) TopValues.skip(group);
    return TopValues.packedHas(group, plain);
  };
}

function readTest(name: FieldName): FilterTest {
  const read = fieldsReader([name]);
  return (group, value) => (read(group)[name] as TopValues).has(value);
}

/** Reads the values of the facets from a group that one report has opened, in the order of `facetColumns`. */
export const readFacetValues = composeFacetReader();

function composeFacetReader(): (from: BytesReader) => (string | null)[] {
  const fields = facetColumns.map(({ column }) =>
    storedFields.findIndex(({ field }) => field.kind === 'counts' && field.of === column),
  );
  if (fields.includes(-1)) throw new RangeError('A column with a facet needs a group field that counts its values.');
  const areFirst = fields.every((field, index) => field === index && index < plainFields);
  if (areFirst) return (from) => readOnlyValues(from, fields.length);
  const names = fields.flatMap((field) => storedFields[field]?.name ?? []);
  const read = fieldsReader(names);
  return (from) => {
    const values = read(from);
    return names.map((name) => (values[name] as TopValues).top(1)[0]?.value ?? null);
  };
}

/** A loop, because a start calls it for every group. */
function readOnlyValues(from: BytesReader, count: number): (string | null)[] {
  const values: (string | null)[] = [];
  for (let index = 0; index < count; index++) values.push(TopValues.readOnly(from));
  return values;
}

/** Copies a packed group that was resolved, or opened again, without unpacking it. */
export function repackResolvedAt(group: BytesReader, resolvedAt: number | null, to: BytesWriter): void {
  const start = group.at;
  for (const field of beforeResolvedAt) field.skip(group);
  to.raw(group.bytes, start, group.at);
  group.uint();
  packTime(resolvedAt, to);
  to.raw(group.bytes, group.at, group.end);
}

const beforeResolvedAt = storedFields.slice(
  0,
  storedFields.findIndex(({ name }) => name === 'resolved_at'),
);

function isPlain(field: GroupField): boolean {
  return field.kind === 'counts' && field.plain === true;
}
