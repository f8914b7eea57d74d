import type { H3Event } from 'h3';
import type { z } from 'zod';
import { ProblemError } from '../problem.ts';
import { validate } from '../validation.ts';

/** The query string as the schema says it is. */
export function readQuery<Schema extends z.ZodType>(event: H3Event, schema: Schema): z.output<Schema> {
  return validate(schema, Object.fromEntries(event.url.searchParams));
}

/** The id in a path, or 0, which is nobody's, for whatever is no positive integer. */
export function pathId(event: H3Event, name: string): number {
  const text = event.context.params?.[name] ?? '';
  const id = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : 0;
}

/** Throws `not_found` for a path that no route has. */
export function noSuchPath(): never {
  throw new ProblemError('not_found', 'There is nothing at this path.');
}
