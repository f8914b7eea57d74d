import type * as z from 'zod';
import { nullFields, type NullFields } from '../null-fields.ts';

/** The fields of an example. Those that can be null may be left out. */
type ExampleFields<Fields> = Omit<Fields, keyof NullFields<Fields>> & Partial<Fields>;

/** Returns an example in the order of its schema, with null for each field that can be null and is left out. */
export function completeExample<Schema extends z.ZodObject>(
  schema: Schema,
  fields: ExampleFields<z.output<Schema>>,
): z.output<Schema> {
  const values: Record<string, unknown> = { ...nullFields(schema), ...fields };
  const names = Object.keys(schema.shape).filter((name) => name in values);
  return Object.fromEntries(names.map((name) => [name, values[name]])) as z.output<Schema>;
}
