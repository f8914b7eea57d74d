import type { FieldProblem } from '@service/protocol';
import type { z } from 'zod';
import { truncate } from '../text/truncate.ts';
import { ProblemError } from '../problem.ts';

/** The maximum number of problems reported for one request. */
const maxProblems = 20;
const pathChars = 100;

/** The detail of an unexpected field. */
export const unknownField = 'unknown field';

/** Parses a value by a schema. Throws `validation_failed` with the problems found. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw validationFailed(fieldProblems(result));
}

export function validationFailed(errors: FieldProblem[]): ProblemError {
  const [first] = errors;
  // The name of an unknown field is text of the request, which may appear in `errors`, but not in `detail`.
  if (first?.detail === unknownField) {
    return new ProblemError('validation_failed', 'The request has an unknown field.', {
      errors: errors.slice(0, maxProblems),
    });
  }
  const detail = first ? (first.path ? `${first.path}: ${first.detail}` : first.detail) : 'The request is not valid.';
  return new ProblemError('validation_failed', detail, { errors: errors.slice(0, maxProblems) });
}

/** Returns the problems of a schema result. The texts quote only field names of the request. */
export function fieldProblems(result: z.ZodSafeParseResult<unknown>): FieldProblem[] {
  return toFieldProblems(result.error?.issues ?? [], []);
}

/** Returns whether the value is a JSON object, not null, an array or a scalar. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether the value is text or absent. `null` counts as absent. */
export function isTextOrAbsent(value: unknown): value is string | null | undefined {
  return typeof value === 'string' || value === undefined || value === null;
}

function toFieldProblems(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[]): FieldProblem[] {
  return issues.flatMap((issue): FieldProblem[] => {
    const path = [...above, ...issue.path];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: formatPath([...path, key]), detail: unknownField }));
    if (issue.code === 'invalid_union' && issue.errors.length > 0)
      return toFieldProblems(closestShape(issue.errors), path);
    return [
      {
        path: formatPath(path),
        detail: issue.message.replace(/^(Invalid input|Invalid option|Too small|Too big): /, ''),
      },
    ];
  });
}

/** Returns the issues of the first shape with the fewest unknown fields: the one that the client probably meant. */
function closestShape(shapes: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] {
  return shapes.reduce((best, shape) => (unknownFields(shape) < unknownFields(best) ? shape : best));
}

function unknownFields(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);
}

function formatPath(path: readonly PropertyKey[]): string {
  return truncate(path.map(String).join('.'), pathChars).toWellFormed();
}
