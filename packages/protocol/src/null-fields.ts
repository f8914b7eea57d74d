import type * as z from 'zod';

export type NullFields<Fields> = { [Name in keyof Fields as null extends Fields[Name] ? Name : never]: null };

/** Returns an object with null for each field of a schema that can be null. */
export function nullFields<Schema extends z.ZodObject>(schema: Schema): NullFields<z.output<Schema>> {
  const nullable = Object.entries(schema.shape).filter(([, field]) => (field as z.ZodType).isNullable());
  return Object.fromEntries(nullable.map(([name]) => [name, null])) as NullFields<z.output<Schema>>;
}
