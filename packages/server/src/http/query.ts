import type { H3Event } from 'h3';
import * as z from 'zod';
import { validate, validationFailed } from '../validation/validation.ts';

/** Reads the query by a schema. Throws `validation_failed`, also if a parameter that is no list is repeated. */
export function readQuery<Schema extends z.ZodObject>(event: H3Event, schema: Schema): z.output<Schema> {
  const { searchParams } = event.url;
  const query: Record<string, string | string[]> = Object.fromEntries(searchParams);
  for (const name of Object.keys(query)) {
    const values = searchParams.getAll(name);
    if (isList(schema.shape[name])) query[name] = values;
    else if (values.length > 1) throw validationFailed([{ path: '', detail: 'expected each parameter once' }]);
  }
  return validate(schema, query);
}

function isList(parameter: unknown): boolean {
  return parameter instanceof z.ZodOptional ? isList(parameter.unwrap()) : parameter instanceof z.ZodArray;
}

/** Throws `validation_failed` if the request has a query. */
export function assertNoQuery(event: H3Event): void {
  if (event.url.search !== '') readQuery(event, noQuery);
}

const noQuery = z.strictObject({});
