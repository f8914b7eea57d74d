import type { FieldProblem } from '@service/protocol';
import type { z } from 'zod';
import { truncate } from '../text/truncate.ts';
import { ProblemError } from '../problem.ts';

/** At most so many problems are told of one request. */
const toldProblems = 20;
const pathChars = 100;

/** The detail of a field that has no place in a request. */
export const unknownField = 'unknown field';

/** The value as the schema says it is, or `validation_failed` with what is wrong with it. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw validationFailed(fieldProblems(result));
}

export function validationFailed(errors: FieldProblem[]): ProblemError {
  const [first] = errors;
  // The name of an unknown field is text of the request: `errors` may tell it, `detail` not.
  if (first?.detail === unknownField) {
    return new ProblemError('validation_failed', 'The request has a field that is not known here.', {
      errors: errors.slice(0, toldProblems),
    });
  }
  const detail = first
    ? first.path
      ? `${first.path}: ${first.detail}`
      : first.detail
    : 'The request is not as it should be.';
  return new ProblemError('validation_failed', detail, { errors: errors.slice(0, toldProblems) });
}

/** What a schema found, in words that repeat nothing of the request but the names of its fields. */
export function fieldProblems(result: z.ZodSafeParseResult<unknown>): FieldProblem[] {
  return tell(result.error?.issues ?? [], []);
}

/** A JSON object, as opposed to null, an array or a scalar. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `null` is as absent. */
export function isTextOrAbsent(value: unknown): value is string | null | undefined {
  return typeof value === 'string' || value === undefined || value === null;
}

function tell(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[]): FieldProblem[] {
  return issues.flatMap((issue): FieldProblem[] => {
    const path = [...above, ...issue.path];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: cutPath([...path, key]), detail: unknownField }));
    if (issue.code === 'invalid_union' && issue.errors.length > 0) return tell(meantShape(issue.errors), path);
    return [
      { path: cutPath(path), detail: issue.message.replace(/^(Invalid input|Invalid option|Too small|Too big): /, '') },
    ];
  });
}

/** Of several shapes, what is wrong with the first one that knows the most of the fields. */
function meantShape(shapes: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] {
  return shapes.reduce((best, shape) => (unknownFields(shape) < unknownFields(best) ? shape : best));
}

function unknownFields(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);
}

function cutPath(path: readonly PropertyKey[]): string {
  return truncate(path.map(String).join('.'), pathChars).toWellFormed();
}
