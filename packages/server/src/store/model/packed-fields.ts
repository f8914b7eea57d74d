import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import { facetColumns } from '../records/columns-and-fields.ts';
import { packTime } from './field-codecs.ts';
import { plainFieldCount, storedField, storedFields, type GroupValues, type StoredField } from './group-values.ts';
import { TopValues } from '../structures/top-values.ts';

/*
 * Reads single fields of a packed group. Plain fields are at the beginning and contain no references to earlier text,
 * so filters and starts read them without the other fields.
 */

/** One step of reading a packed group: reads or skips one field. */
interface Step {
  field: StoredField;
  isWanted: boolean;
  read: StoredField['unpack'];
}

/** Returns the steps that read these fields: one for each field of a group, up to the last of these. */
function stepsTo(wanted: readonly StoredField[]): Step[] {
  const end = Math.max(...wanted.map(({ index }) => index)) + 1;
  const lastText = Math.max(...wanted.filter(({ hasText }) => hasText).map(({ index }) => index));
  return storedFields.slice(0, end).map((field) => {
    const isWanted = wanted.includes(field);
    // Later text may refer to the text of this field.
    const isNeeded = isWanted || (field.hasText && field.index < lastText);
    return { field, isWanted, read: isNeeded ? field.unpack : field.skip };
  });
}

/**
 * Composes a function that reads these fields of a packed group. Only their values in its result are defined: it skips
 * other fields, and doesn't read past the last of these.
 */
export function fieldsReader(fields: readonly StoredField[]): (from: BytesReader) => GroupValues {
  const steps = stepsTo(fields);
  return (from) => {
    const values: GroupValues = Array<unknown>(steps.length);
    for (const { field, read } of steps) values[field.index] = from.isAtEnd ? field.empty() : read(from);
    return values;
  };
}

/** Composes a function that sets these fields of a record to the values that the API shows. */
export function shownFieldsReader(
  fields: readonly StoredField[],
): (from: BytesReader, record: Record<string, unknown>, now: number) => void {
  const steps = stepsTo(fields);
  return (from, record, now) => {
    for (const { field, isWanted, read } of steps) {
      const value = from.isAtEnd ? field.empty() : read(from);
      if (isWanted) record[field.name] = field.show(value, now);
    }
  };
}

export const unpackValues = fieldsReader(storedFields);

/** Reads the values of the facets from a group that one report has opened, in the order of `facetColumns`. */
export const readFacetValues = composeFacetReader();

function composeFacetReader(): (from: BytesReader) => (string | null)[] {
  const fields = facetColumns.map(({ column }) => {
    const counting = storedFields.find(({ field }) => field.kind === 'counts' && field.of === column);
    if (!counting)
      throw new RangeError(`The column ${column} has a facet: add a row of kind \`counts\` to \`groupFields\`.`);
    return counting;
  });
  const areFirst = fields.every(({ index }, position) => index === position && index < plainFieldCount);
  if (areFirst) return (from) => readOnlyValues(from, fields.length);
  const read = fieldsReader(fields);
  return (from) => {
    const values = read(from);
    return fields.map(({ index }) => (values[index] as TopValues).top(1)[0]?.value ?? null);
  };
}

/** Reads the only value of each field. A loop instead of `map`, because a start calls it for every group. */
function readOnlyValues(from: BytesReader, count: number): (string | null)[] {
  const values = Array<string | null>(count);
  for (let index = 0; index < count; index++) values[index] = TopValues.readOnly(from);
  return values;
}

const beforeResolvedAt = storedFields.slice(0, storedField('resolved_at').index);

/** Copies a packed group with a new time at which it was resolved (null if it is active), without unpacking it. */
export function repackResolvedAt(group: BytesReader, resolvedAt: number | null, to: BytesWriter): void {
  const start = group.at;
  for (const field of beforeResolvedAt) field.skip(group);
  to.raw(group.bytes, start, group.at);
  group.uint();
  packTime(resolvedAt, to);
  to.raw(group.bytes, group.at, group.end);
}
