import { expect } from 'vitest';
import { problems, type ProblemCode } from '../../packages/protocol/src/index.ts';
import { operations, problemsOf, type Operation } from '../../packages/protocol/src/operations/index.ts';
import type { Answer, Ask, Json } from './answer.ts';

/** What the contract says of every answer, whatever was asked. */
export function checkAnswer(method: string, path: string, ask: Ask, answer: Answer): void {
  const asked = `${method} ${path}`;
  const { status, headers, text, body } = answer;
  expect(headers.get('x-request-id'), `${asked}: X-Request-Id`).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(headers.get('x-content-type-options'), `${asked}: nosniff`).toBe('nosniff');
  const isOfApi = !path.startsWith('/') || path.startsWith('/api/v1/');
  const isStream = headers.get('content-type') === 'text/event-stream';
  const caching = isStream ? 'no-cache, no-transform' : 'no-store';
  if (isOfApi) expect(headers.get('cache-control'), `${asked}: Cache-Control`).toBe(caching);
  expect(status, `${asked} is a defect: ${text}`).not.toBe(500);
  if (status === 204 || method === 'HEAD') {
    expect(text, `${asked} has no body`).toBe('');
    if (status === 204) expect(operationOf(method, path)?.responses[204]?.body ?? null, asked).toBeNull();
    return;
  }
  if (isStream) {
    // What it tells is held against the description by `Listening`.
    expect(operationOf(method, path)?.responses[status]?.body?.type, asked).toBe('text/event-stream');
    return;
  }
  if (isOfApi || status >= 400) {
    expect(headers.get('content-type'), `${asked}: Content-Type`).toMatch(/^application\/json(; ?charset=utf-8)?$/i);
    expect(body, `${asked} is JSON: ${text.slice(0, 200)}`).toBeDefined();
  }
  if (status >= 400) checkProblem(asked, path, ask, answer);
  const operation = operationOf(method, path);
  if (operation) checkDescribed(asked, operation, answer);
}

/** The answer is one of those that the description of the API tells, member by member. */
function checkDescribed(asked: string, operation: Operation, { status, body, text }: Answer): void {
  if (status >= 400) {
    expect(problemsOf(operation), `${asked}: the description tells of this code`).toContain(body.code);
    return;
  }
  const described = operation.responses[status];
  expect(described, `${asked}: the description tells of ${status}`).toBeDefined();
  const parsed = described?.body?.schema.safeParse(body);
  expect(parsed?.error?.issues ?? [], `${asked}: as described`).toEqual([]);
  // A schema leaves out what it does not know: nothing more may be told.
  // `__proto__`, which a client may send, is dropped by the schemas alone.
  const whole = JSON.parse(text || 'null', (key, value: unknown) => (key === '__proto__' ? undefined : value)) as Json;
  if (parsed) expect(parsed.data, `${asked}: nothing but what is described`).toEqual(whole);
}

const patterns = operations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/:[a-z_]+/g, '[^/]+')}$`),
}));

function operationOf(method: string, path: string): Operation | null {
  const [plain = ''] = path.split('?', 1);
  const ofApi = plain.startsWith('/') ? plain.replace(/^\/api\/v1(?=\/)|^.*/, '') : `/${plain}`;
  const found = patterns.find(
    ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(ofApi),
  );
  return found?.operation ?? null;
}

const members = new Set(['type', 'title', 'status', 'code', 'detail', 'request_id', 'errors']);

function checkProblem(asked: string, path: string, ask: Ask, { status, headers, body, text }: Answer): void {
  const code = body.code as ProblemCode;
  const known = problems[code] as { status: number } | undefined;
  expect(known?.status, `${asked}: ${code} has its status`).toBe(status);
  expect(body, asked).toMatchObject({
    type: `/docs/problems#${code}`,
    title: expect.stringMatching(/\w/),
    status,
    detail: expect.stringMatching(/\w/),
    request_id: headers.get('x-request-id'),
  });
  const strangers = Object.keys(body).filter((name) => !members.has(name));
  expect(strangers, `${asked}: members of an error`).toEqual([]);
  if (body.errors !== undefined) {
    expect(code, `${asked}: errors are for validation`).toBe('validation_failed');
    for (const error of body.errors) {
      expect(Object.keys(error).toSorted(), asked).toEqual(['detail', 'path']);
      expect(error.path.length, `${asked}: a path is cut`).toBeLessThanOrEqual(100 + '…[truncated]'.length);
    }
  }
  const asksForToken = status === 401 && code !== 'invalid_api_key';
  expect(headers.get('www-authenticate'), `${asked}: WWW-Authenticate`).toBe(asksForToken ? 'Bearer' : null);
  expect(headers.has('allow'), `${asked}: Allow`).toBe(status === 405);
  if (status === 429 || status === 503)
    expect(Number(headers.get('retry-after')), `${asked}: Retry-After`).toBeGreaterThan(0);
  // The place of a field may be told in `errors`; everything else is written by the server alone.
  const told = JSON.stringify({ ...body, request_id: '', errors: body.errors?.map((error: Json) => error.detail) });
  for (const sent of textsOf(path, ask))
    expect(told.includes(sent), `${asked} repeats text of the request (${sent.slice(0, 40)}): ${text}`).toBe(false);
}

/** Words that the server may say by itself. */
const vocabulary =
  /^(application\/json|multipart\/form-data|text\/plain|gzip|active|resolved|production|\d{1,4}|[a-z_]{1,11})$/;

/** Texts of a request that an error must not repeat. */
function textsOf(path: string, { body, headers = {}, token }: Ask): string[] {
  const query = [...new URL(path, 'http://x/api/v1/').searchParams.values()];
  const all = [...leavesOf(body), ...query, ...Object.values(headers), token ?? ''];
  return all
    .filter((text) => text.length > 4 && !vocabulary.test(text))
    .map((text) => JSON.stringify(text).slice(1, -1));
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof FormData) return [];
  return Object.values(value).flatMap(leavesOf);
}
