import { expect } from 'vitest';
import { problems, type ProblemCode } from '../../packages/protocol/src/index.ts';
import { operations, problemsOf, type Operation } from '../../packages/protocol/src/operations/index.ts';
import type { ApiResponse, Json, RequestOptions } from './api-call.ts';

/** Asserts what the contract requires of the response to any request. */
export function checkResponse(method: string, path: string, options: RequestOptions, response: ApiResponse): void {
  const request = `${method} ${path}`;
  const { status, headers, text, body } = response;
  expect(headers.get('x-request-id'), `${request}: X-Request-Id`).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(headers.get('x-content-type-options'), `${request}: nosniff`).toBe('nosniff');
  const isApiPath = !path.startsWith('/') || path.startsWith('/api/v1/');
  const isStream = headers.get('content-type') === 'text/event-stream';
  const cacheControl = isStream ? 'no-cache, no-transform' : 'no-store';
  if (isApiPath) expect(headers.get('cache-control'), `${request}: Cache-Control`).toBe(cacheControl);
  expect(status, `${request} must not fail with 500: ${text}`).not.toBe(500);
  if (status === 204 || method === 'HEAD') {
    expect(text, `${request} must have no body`).toBe('');
    if (status === 204) expect(findOperation(method, path)?.responses[204]?.body ?? null, request).toBeNull();
    return;
  }
  if (isStream) {
    // `StreamReader` checks the events against their schema.
    expect(findOperation(method, path)?.responses[status]?.body?.type, request).toBe('text/event-stream');
    return;
  }
  if (isApiPath || status >= 400) {
    expect(headers.get('content-type'), `${request}: Content-Type`).toMatch(/^application\/json(; ?charset=utf-8)?$/i);
    expect(body, `${request} must return JSON: ${text.slice(0, 200)}`).toBeDefined();
  }
  if (status >= 400) checkProblem(request, path, options, response);
  const operation = findOperation(method, path);
  if (operation) checkSchema(request, operation, response);
}

/** Asserts that the operation documents this response: its problem code, or every member of its body. */
function checkSchema(request: string, operation: Operation, { status, body, text }: ApiResponse): void {
  if (status >= 400) {
    expect(problemsOf(operation), `${request}: the operation documents this code`).toContain(body.code);
    return;
  }
  const documented = operation.responses[status];
  expect(documented, `${request}: the operation documents status ${status}`).toBeDefined();
  const parsed = documented?.body?.schema.safeParse(body);
  expect(parsed?.error?.issues ?? [], `${request}: the body matches its schema`).toEqual([]);
  // Parsing drops unknown members, so a difference means that the body has an undocumented one.
  // The schemas also drop `__proto__`, which clients may send as data.
  const whole = JSON.parse(text || 'null', (key, value: unknown) => (key === '__proto__' ? undefined : value)) as Json;
  if (parsed) expect(parsed.data, `${request}: the body has no undocumented member`).toEqual(whole);
}

const patterns = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/:[a-z_]+/g, '[^/]+')}$`),
}));

function findOperation(method: string, path: string): Operation | null {
  const [plain = ''] = path.split('?', 1);
  const apiPath = plain.startsWith('/') ? plain.replace(/^\/api\/v1(?=\/)|^.*/, '') : `/${plain}`;
  const found = patterns.find(
    ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(apiPath),
  );
  return found?.operation ?? null;
}

const problemMembers = new Set(['type', 'title', 'status', 'code', 'detail', 'request_id', 'errors']);

function checkProblem(request: string, path: string, options: RequestOptions, response: ApiResponse): void {
  const { status, headers, body, text } = response;
  const code = body.code as ProblemCode;
  const problem = problems[code] as { status: number } | undefined;
  expect(problem?.status, `${request}: ${code} has its status`).toBe(status);
  expect(body, request).toMatchObject({
    type: `/docs/problems#${code}`,
    title: expect.stringMatching(/\w/),
    status,
    detail: expect.stringMatching(/\w/),
    request_id: headers.get('x-request-id'),
  });
  const unknownMembers = Object.keys(body).filter((name) => !problemMembers.has(name));
  expect(unknownMembers, `${request}: a problem has no unknown members`).toEqual([]);
  if (body.errors !== undefined) {
    expect(code, `${request}: only validation problems have errors`).toBe('validation_failed');
    for (const error of body.errors) {
      expect(Object.keys(error).toSorted(), request).toEqual(['detail', 'path']);
      expect(error.path.length, `${request}: a long path is truncated`).toBeLessThanOrEqual(
        100 + '…[truncated]'.length,
      );
    }
  }
  const isTokenProblem = status === 401 && code !== 'invalid_api_key';
  expect(headers.get('www-authenticate'), `${request}: WWW-Authenticate`).toBe(isTokenProblem ? 'Bearer' : null);
  expect(headers.has('allow'), `${request}: Allow`).toBe(status === 405);
  if (status === 429 || status === 503)
    expect(Number(headers.get('retry-after')), `${request}: Retry-After`).toBeGreaterThan(0);
  // `errors[].path` may name a field of the request. Everything else is the server's own text.
  const serverText = JSON.stringify({
    ...body,
    request_id: '',
    errors: body.errors?.map((error: Json) => error.detail),
  });
  for (const sent of requestTexts(path, options))
    expect(serverText.includes(sent), `${request} echoes request text (${sent.slice(0, 40)}): ${text}`).toBe(false);
}

/** Words that the server uses in its own texts: one in a response does not prove an echo. */
const vocabulary =
  /^(application\/json|multipart\/form-data|text\/plain|gzip|active|resolved|production|\d{1,4}|[a-z_]{1,11})$/;

/** Returns the texts of a request that a problem must not echo. */
function requestTexts(path: string, { body, headers = {}, token }: RequestOptions): string[] {
  const query = [...new URL(path, 'http://x/api/v1/').searchParams.values()];
  const all = [...stringLeaves(body), ...query, ...Object.values(headers), token ?? ''];
  return all
    .filter((text) => text.length > 4 && !vocabulary.test(text))
    .map((text) => JSON.stringify(text).slice(1, -1));
}

function stringLeaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof FormData) return [];
  return Object.values(value).flatMap(stringLeaves);
}
