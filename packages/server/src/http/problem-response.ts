import { problems, type Problem } from '@service/protocol';
import type { H3Event } from 'h3';
import type { Logger } from 'pino';
import { ProblemError } from '../problem.ts';
import { commonHeaders, setHeaders } from './answer-headers.ts';

/** Turns whatever was thrown into the body of an error answer, and sets status and headers. */
export function answerProblem(thrown: unknown, event: H3Event, log: Logger): Problem {
  const { headers } = event.res;
  if (!headers.has('x-request-id')) setHeaders(event, commonHeaders(event));
  const request_id = headers.get('x-request-id') ?? '';
  const problem = asProblem(thrown);
  if (problem.status >= 500) log.error({ err: problem.cause ?? thrown, request_id }, problem.message);
  const { status, title } = problems[problem.code];
  event.res.status = status;
  headers.set('content-type', 'application/json');
  if (status === 401 && problem.code !== 'invalid_api_key') headers.set('www-authenticate', 'Bearer');
  if (problem.retryAfterSeconds !== undefined) headers.set('retry-after', String(problem.retryAfterSeconds));
  if (problem.allow) headers.set('allow', problem.allow.join(', '));
  return {
    type: `/docs/problems#${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.message,
    ...(problem.errors && { errors: problem.errors }),
    request_id,
  };
}

function asProblem(thrown: unknown): ProblemError {
  // h3 wraps what it did not throw itself.
  const error = thrown instanceof Error && thrown.cause instanceof ProblemError ? thrown.cause : thrown;
  if (error instanceof ProblemError) return error;
  // What h3 says of a request before any route has seen it: a path that can't be decoded.
  if (isHttpError(error) && error.status === 400) return new ProblemError('bad_request', 'The URL can not be read.');
  return new ProblemError(
    'internal_error',
    'Something went wrong on the server. The request id helps to find it in the log.',
    {
      cause: thrown,
    },
  );
}

function isHttpError(error: unknown): error is Error & { status: number; unhandled?: boolean } {
  return error instanceof Error && error.name === 'HTTPError' && !(error as { unhandled?: boolean }).unhandled;
}
