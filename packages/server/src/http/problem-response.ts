import type { Problem } from '@service/protocol';
import type { H3Event } from 'h3';
import type { Logger } from 'pino';
import { problemPage } from '../docs/problem-page.ts';
import { problemBody, ProblemError } from '../problem.ts';
import { setCommonHeaders, setHeaders, type ResponseHeaders } from './response-headers.ts';
import { plainPagePolicy, setPageHeaders } from './page-headers.ts';

/** The response to an error. */
export interface ProblemResponse {
  status: number;
  headers: ResponseHeaders;
  body: Problem;
}

/** Turns a thrown value into a response. Logs failures of the server itself. */
export function toProblemResponse(thrown: unknown, request_id: string, log: Logger): ProblemResponse {
  const problem = asProblem(thrown);
  // A server that is full or stopping has not failed: the request is rejected and counted, but no error is logged.
  if (problem.code === 'internal_error' || problem.code === 'storage_unavailable')
    logOnce(problem, thrown, request_id, log);
  const { status } = problem;
  const headers: ResponseHeaders = { 'content-type': 'application/json' };
  if (status === 401 && problem.code !== 'invalid_api_key') headers['www-authenticate'] = 'Bearer';
  if (problem.retryAfterSeconds !== undefined) headers['retry-after'] = String(problem.retryAfterSeconds);
  if (problem.allow) headers.allow = problem.allow.join(', ');
  return { status, headers, body: problemBody(problem, request_id) };
}

/** All requests that wait for the same failed write get the same problem object. It is logged once. */
const logged = new WeakSet<object>();

function logOnce(problem: ProblemError, thrown: unknown, request_id: string, log: Logger): void {
  if (logged.has(problem)) return;
  logged.add(problem);
  log.error({ err: problem.cause ?? thrown, request_id }, problem.message);
}

/**
 * Returns the body of an error response of h3 and sets its status and headers. Calls of the API get JSON. A browser
 * that opens any other address gets a page: raw JSON offers a person no way back.
 */
export function respondWithProblem(thrown: unknown, event: H3Event, log: Logger): Problem | string {
  if (!event.res.headers.has('x-request-id')) setCommonHeaders(event);
  const { status, headers, body } = toProblemResponse(thrown, event.res.headers.get('x-request-id') ?? '', log);
  event.res.status = status;
  setHeaders(event, headers);
  if (isApiPath(event.url.pathname)) return body;
  event.res.headers.append('vary', 'Accept');
  if (!opensPage(event)) return body;
  setPageHeaders(event, 'text/html; charset=utf-8', plainPagePolicy);
  return problemPage(body);
}

const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Returns whether a browser opens an address or sends a form: it then accepts HTML. Scripts and programs do not. */
const opensPage = (event: H3Event): boolean => /\btext\/html\b/i.test(event.req.headers.get('accept') ?? '');

function asProblem(thrown: unknown): ProblemError {
  // h3 wraps errors that it did not throw itself.
  const error = thrown instanceof Error && thrown.cause instanceof ProblemError ? thrown.cause : thrown;
  if (error instanceof ProblemError) return error;
  // Before any route runs, h3 rejects a path that cannot be decoded.
  if (isHttpError(error) && error.status === 400) return new ProblemError('bad_request', 'The URL cannot be decoded.');
  return new ProblemError(
    'internal_error',
    'Something went wrong on the server. The request id helps to find it in the log.',
    // The wrapper of h3 adds no information.
    { cause: isWrapped(thrown) ? thrown.cause : thrown },
  );
}

function isWrapped(error: unknown): error is Error {
  return error instanceof Error && error.name === 'HTTPError' && error.cause instanceof Error;
}

function isHttpError(error: unknown): error is Error & { status: number; unhandled?: boolean } {
  return error instanceof Error && error.name === 'HTTPError' && !(error as { unhandled?: boolean }).unhandled;
}
