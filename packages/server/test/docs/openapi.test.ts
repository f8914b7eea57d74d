import { apiPrefix, paths, problems, Problem } from '@service/protocol';
import { operations, problemsOf, problemTexts, type Operation } from '@service/protocol/operations';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test, vi } from 'vitest';
import { problemExample } from '../../src/docs/openapi.ts';
import { sandboxSecret, signed } from '../billing/sandbox-payments.ts';
import { describeInMemory, describeShared } from '../test-utils/describe-service.ts';

const rows = operations.map((operation): [string, Operation] => [`${operation.method} ${operation.path}`, operation]);

describeShared('the OpenAPI document', (service) => {
  test('the OpenAPI document is valid OpenAPI 3.1', async () => {
    const { body } = await service().call<Record<string, unknown>>('GET', 'openapi.json', { token: null });
    const result = await new Validator().validate(body);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(body).toMatchObject({ openapi: '3.1.1' });
  });

  test('the OpenAPI document has each operation once, with a unique id', async () => {
    const { body } = await service().call<{ paths: Record<string, Record<string, { operationId: string }>> }>(
      'GET',
      'openapi.json',
    );
    const ids = Object.values(body.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(ids.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  // This test must be last: it blocks the process for seconds, during which the server closes waiting connections.
  test('the OpenAPI document passes the Redocly linter', async () => {
    const { text } = await service().call('GET', 'openapi.json', { token: null });
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source: text, config });
    expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });
});

describeInMemory('the table of operations', (start) => {
  test('the table of operations has one row for every API route, and no other rows', async () => {
    const { service } = await start();
    const routes = service.app['~routes']
      .filter(
        ({ method = '', route = '' }) => route.startsWith(apiPrefix) && /^(GET|POST|PUT|PATCH|DELETE)$/.test(method),
      )
      .map(({ method, route = '' }) => `${method?.toLowerCase()} ${route.slice(apiPrefix.length)}`);
    expect(routes.toSorted()).toEqual(rows.map(([name]) => name).toSorted());
  });

  test('every operation that reads a body describes it', () => {
    const writes = operations.filter(({ method }) => /^(post|put|patch)$/.test(method));
    expect(writes.filter(({ body }) => !body).map(({ id }) => id)).toEqual([]);
  });

  test('the table of operations uses every path', () => {
    expect(new Set(operations.map(({ path }) => path))).toEqual(new Set(Object.values(paths)));
  });
});

describeShared(
  'request validation',
  (service) => {
    const checked = rows.filter(
      ([, { query, body }]) => query || (body?.type === 'application/json' && !body.optional),
    );

    test.each(checked)(
      '%s validates requests with the schema of its row',
      async (_name, { method, path, parameters, query, body, auth }) => {
        const { call, report, project } = service();
        await report();
        const calls = [query, body?.schema].flatMap((schema) => (schema ? [vi.spyOn(schema, 'safeParse')] : []));
        const filled = path.slice(1).replace(/:(\w+)/g, (_, name: string) => parameters?.[name]?.values?.at(-1) ?? '1');
        // No field of a request is a number, so the schema must reject this body.
        const wrong = body && Object.fromEntries(fieldNames(body.schema).map((field) => [field, 5]));
        // A GET of the stream would never end. HEAD is validated in the same way.
        await call(path === paths.stream ? 'HEAD' : method.toUpperCase(), filled, {
          ...(wrong && { body: wrong }),
          ...(auth === 'signature' && signed(wrong)),
          ...(auth === 'api_key' && { body: { project_api_key: project.api_key, message: 5 } }),
        });
        calls.forEach((safeParse) => expect(safeParse).toHaveBeenCalled());
      },
    );
  },
  { registration: 'open', sandboxSecret },
);

describe.each(rows)('%s', (_name, operation) => {
  const { path, parameters = {}, body, responses, summary, description } = operation;

  test('the row describes all path parameters', () => {
    expect(Object.keys(parameters)).toEqual(Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name));
  });

  test('the examples of the row match its schemas', () => {
    const requests = body?.type === 'application/json' ? [body] : [];
    const examples = [...requests, ...Object.values(responses).flatMap((response) => response.body ?? [])];
    expect(examples.flatMap(({ schema, example }) => schema.safeParse(example).error?.issues ?? [])).toEqual([]);
  });

  test('no status of the row is both a success and an error', () => {
    const statuses = problemsOf(operation).map((code) => problems[code].status as number);
    expect(statuses.filter((status) => responses[status])).toEqual([]);
  });

  test('the summary of the row is short, and its description ends with a full stop', () => {
    expect(summary).toMatch(/^[A-Z][^.]{5,60}[^.]$/);
    expect(description ?? 'Nothing.').toMatch(/\.$/);
  });
});

describe('error codes', () => {
  test('every error code has a documentation text', () => {
    expect(Object.keys(problemTexts)).toEqual(Object.keys(problems));
  });

  test.each(Object.keys(problems) as (keyof typeof problems)[])(
    'the example of %s matches the Problem schema',
    (code) => {
      expect(Problem.parse(problemExample(code))).toEqual(problemExample(code));
    },
  );
});

function fieldNames(schema: unknown): string[] {
  return Object.keys((schema as { shape?: object }).shape ?? {});
}
