import type { BytesReader } from '../codec/bytes-reader.ts';
import { BytesWriter } from '../codec/bytes-writer.ts';
import type { ListFilterName } from '../records/columns-and-fields.ts';
import { plainFieldCount, storedFields, type GroupValues, type StoredField } from './group-values.ts';
import { fieldsReader } from './packed-fields.ts';
import { TopValues } from '../structures/top-values.ts';

/**
 * A list filter by a counted value. A group matches if any of its reports had exactly the value, unless the value was
 * too rare to be counted.
 */
export interface ValueFilter {
  /** The query parameter. */
  readonly name: ListFilterName;
  /** True if a test reads only plain fields, which are faster to read. */
  readonly isPlain: boolean;
  matches(values: GroupValues, value: string): boolean;
  /** Composes a test of packed groups for a value. */
  packedTest(value: string): (group: BytesReader) => boolean;
}

/** The list filters that `groupFields` declares. All other filters are in `group-filters.ts`. */
export const valueFilters: readonly ValueFilter[] = storedFields.flatMap((stored) => {
  const { field, index } = stored;
  if (field.kind !== 'counts' || field.filter === undefined) return [];
  const matches: ValueFilter['matches'] = (values, value) => (values[index] as TopValues).has(value);
  const isPlain = index < plainFieldCount;
  const packedTest = isPlain ? plainTest(index) : unpackingTest(stored, matches);
  return [{ name: field.filter, isPlain, matches, packedTest }];
});

/** Compares the bytes of a plain field, which is much faster than unpacking it. */
function plainTest(index: number): ValueFilter['packedTest'] {
  return (value) => {
    const writer = new BytesWriter();
    writer.plainText(value);
    const bytes = writer.bytes.subarray(0, writer.size);
    return (group) => {
      for (let before = index; before > 0; before--) TopValues.skip(group);
      return TopValues.packedHas(group, bytes);
    };
  };
}

function unpackingTest(field: StoredField, matches: ValueFilter['matches']): ValueFilter['packedTest'] {
  const read = fieldsReader([field]);
  return (value) => (group) => matches(read(group), value);
}
