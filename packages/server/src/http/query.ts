import type { H3Event } from 'h3';
import * as z from 'zod';
import { ProblemError } from '../problem.ts';
import { validate, validationFailed } from '../validation/validation.ts';

/** Reads the query by a schema. Throws `validation_failed`, also for a repeated parameter. */
export function readQuery<Schema extends z.ZodType>(event: H3Event, schema: Schema): z.output<Schema> {
  const { searchParams } = event.url;
  const query = Object.fromEntries(searchParams);
  const repeated = Object.keys(query).find((name) => searchParams.getAll(name).length > 1);
  if (repeated !== undefined) throw validationFailed([{ path: '', detail: 'expected each parameter once' }]);
  return validate(schema, query);
}

/** Throws `validation_failed` if the request has a query. */
export function assertNoQuery(event: H3Event): void {
  if (event.url.search !== '') readQuery(event, noQuery);
}

const noQuery = z.strictObject({});

/** Returns the id in a path, or 0, which no record has, if it is not a positive integer. */
export function pathId(event: H3Event, name: string): number {
  const text = event.context.params?.[name] ?? '';
  const id = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : 0;
}

/** Throws `not_found` for a path without a route. */
export function noSuchPath(): never {
  throw new ProblemError('not_found', 'There is nothing at this path.');
}
