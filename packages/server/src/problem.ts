import { problems, type FieldProblem, type Problem, type ProblemCode } from '@service/protocol';

/** Optional parts of a problem. */
export interface ProblemDetails {
  /** The invalid fields; only for `validation_failed`. */
  errors?: FieldProblem[];
  /** Seconds, sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Methods, sent as `Allow`. */
  allow?: readonly string[];
  /** The original error: logged, never sent. */
  cause?: unknown;
}

/**
 * A request that is rejected, with the stable code that the caller gets.
 * `message` becomes the `detail` of the response: a sentence to act on, without any text of the request.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly errors: FieldProblem[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(code: ProblemCode, detail: string, { errors, retryAfterSeconds, allow, cause }: ProblemDetails = {}) {
    super(detail, { cause });
    this.code = code;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
    this.allow = allow;
  }

  get status(): number {
    return problems[this.code].status;
  }
}

/** Builds the body of an error response. */
export function problemBody({ code, message, errors }: ProblemError, request_id: string): Problem {
  const { status, title } = problems[code];
  return {
    type: `/docs/problems#${code}`,
    title,
    status,
    code,
    detail: message,
    ...(errors && { errors }),
    request_id,
  };
}
