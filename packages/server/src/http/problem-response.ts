import type { Problem } from '@service/protocol';
import type { H3Event } from 'h3';
import type { Logger } from 'pino';
import { problemPage } from '../docs/problem-page.ts';
import { problemBody, ProblemError } from '../problem.ts';
import { setCommonHeaders, setHeaders, type AnswerHeaders } from './answer-headers.ts';
import { plainPagePolicy, setPageHeaders } from './page-headers.ts';

/** An error as it is told: status, headers and body of the answer. */
export interface ProblemResponse {
  status: number;
  headers: AnswerHeaders;
  body: Problem;
}

/** Turns whatever was thrown into an answer. What is the server's own fault is logged. */
export function toProblemResponse(thrown: unknown, request_id: string, log: Logger): ProblemResponse {
  const problem = asProblem(thrown);
  // That a server is full or stopping is no failure: it is counted, and told to whoever asked.
  if (problem.code === 'internal_error' || problem.code === 'storage_unavailable')
    logOnce(problem, thrown, request_id, log);
  const { status } = problem;
  const headers: AnswerHeaders = { 'content-type': 'application/json' };
  if (status === 401 && problem.code !== 'invalid_api_key') headers['www-authenticate'] = 'Bearer';
  if (problem.retryAfterSeconds !== undefined) headers['retry-after'] = String(problem.retryAfterSeconds);
  if (problem.allow) headers.allow = problem.allow.join(', ');
  return { status, headers, body: problemBody(problem, request_id) };
}

/** A write that failed is one problem for all who waited for it: it is told once. */
const logged = new WeakSet<object>();

function logOnce(problem: ProblemError, thrown: unknown, request_id: string, log: Logger): void {
  if (logged.has(problem)) return;
  logged.add(problem);
  log.error({ err: problem.cause ?? thrown, request_id }, problem.message);
}

/**
 * Returns the body of an error answer of h3; its status and headers go with the event. Calls of the API get JSON. A
 * browser that opens any other address gets a page: raw JSON offers a person no way back.
 */
export function answerProblem(thrown: unknown, event: H3Event, log: Logger): Problem | string {
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

/** Browsers name HTML when they open an address or send a form; scripts and programs don't. */
const opensPage = (event: H3Event): boolean => /\btext\/html\b/i.test(event.req.headers.get('accept') ?? '');

function asProblem(thrown: unknown): ProblemError {
  // h3 wraps what it did not throw itself.
  const error = thrown instanceof Error && thrown.cause instanceof ProblemError ? thrown.cause : thrown;
  if (error instanceof ProblemError) return error;
  // What h3 says of a request before any route has seen it: a path that can't be decoded.
  if (isHttpError(error) && error.status === 400) return new ProblemError('bad_request', 'The URL can not be read.');
  return new ProblemError(
    'internal_error',
    'Something went wrong on the server. The request id helps to find it in the log.',
    // What h3 wraps around what was thrown says nothing.
    { cause: isWrapped(thrown) ? thrown.cause : thrown },
  );
}

function isWrapped(error: unknown): error is Error {
  return error instanceof Error && error.name === 'HTTPError' && error.cause instanceof Error;
}

function isHttpError(error: unknown): error is Error & { status: number; unhandled?: boolean } {
  return error instanceof Error && error.name === 'HTTPError' && !(error as { unhandled?: boolean }).unhandled;
}
