import type { FieldProblem, Problem } from '@service/protocol';

/** An error response, with a message for the user. The status is 0 if the server could not be reached. */
export class ApiError extends Error {
  declare readonly status: number;
  declare readonly code: Problem['code'] | undefined;
  declare readonly fields: FieldProblem[];

  constructor(status: number, { code, detail, errors }: Partial<Problem>) {
    super(detail ?? (status ? `The server responded with status ${status}.` : 'The server can’t be reached.'));
    this.status = status;
    this.code = code;
    this.fields = errors ?? [];
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Describes a problem of a field. A detail that is a whole sentence needs no field name. */
export function fieldMessage({ path, detail }: FieldProblem): string {
  return /^[A-Z]/.test(detail) ? detail : `${path}: ${detail}`;
}

/** Describes an error in one sentence. If several fields have problems, it names the first. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError && error.fields[0]) return fieldMessage(error.fields[0]);
  return error instanceof Error ? error.message : String(error);
}
