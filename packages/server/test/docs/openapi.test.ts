import { apiPrefix, paths, problems, Problem } from '@service/protocol';
import { operations, problemsOf, problemTexts, type Operation } from '@service/protocol/operations';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test, vi } from 'vitest';
import { problemExample } from '../../src/docs/openapi.ts';
import { sandboxSecret, signed } from '../billing/payments.ts';
import { describeInMemory, describeShared } from '../test-utils/service.ts';

const rows = operations.map((operation): [string, Operation] => [`${operation.method} ${operation.path}`, operation]);

describeShared('the machine description', (service) => {
  test('is valid OpenAPI 3.1', async () => {
    const { body } = await service().call<Record<string, unknown>>('GET', 'openapi.json', { token: null });
    const result = await new Validator().validate(body);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(body).toMatchObject({ openapi: '3.1.1' });
  });

  test('has each operation once, and each by a name of its own', async () => {
    const { body } = await service().call<{ paths: Record<string, Record<string, { operationId: string }>> }>(
      'GET',
      'openapi.json',
    );
    const told = Object.values(body.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(told.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
    expect(new Set(told).size).toBe(told.length);
  });

  // The last one: it holds up this process for seconds, in which the server gives up connections that wait.
  test('satisfies a linter', async () => {
    const { text } = await service().call('GET', 'openapi.json', { token: null });
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source: text, config });
    expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });
});

describeInMemory('the table of operations', (start) => {
  test('has a row for every route of the API, and the other way round', async () => {
    const { service } = await start();
    const routes = service.app['~routes']
      .filter(
        ({ method = '', route = '' }) => route.startsWith(apiPrefix) && /^(GET|POST|PUT|PATCH|DELETE)$/.test(method),
      )
      .map(({ method, route = '' }) => `${method?.toLowerCase()} ${route.slice(apiPrefix.length)}`);
    expect(routes.toSorted()).toEqual(rows.map(([name]) => name).toSorted());
  });

  test('names every path there is', () => {
    expect(new Set(operations.map(({ path }) => path))).toEqual(new Set(Object.values(paths)));
  });
});

describeShared(
  'requests',
  (service) => {
    const checked = rows.filter(
      ([, { query, body }]) => query || (body?.type === 'application/json' && !body.optional),
    );

    test.each(checked)(
      'of %s are checked by the schema of its row',
      async (_name, { method, path, parameters, query, body, auth }) => {
        const { call, report, project } = service();
        await report();
        const calls = [query, body?.schema].flatMap((schema) => (schema ? [vi.spyOn(schema, 'safeParse')] : []));
        const filled = path.slice(1).replace(/:(\w+)/g, (_, name: string) => parameters?.[name]?.words?.at(-1) ?? '1');
        // No field is a number: the schema has to say so.
        const wrong = body && Object.fromEntries(fieldNames(body.schema).map((field) => [field, 5]));
        // The stream would never end, and HEAD is checked in the same way.
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
  const { path, parameters = {}, body, answers, summary, description } = operation;

  test('says what stands in its path', () => {
    expect(Object.keys(parameters)).toEqual(Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name));
  });

  test('has examples that its own schemas take', () => {
    const requests = body?.type === 'application/json' ? [body] : [];
    const examples = [...requests, ...Object.values(answers).flatMap((answer) => answer.body ?? [])];
    expect(examples.flatMap(({ schema, example }) => schema.safeParse(example).error?.issues ?? [])).toEqual([]);
  });

  test('has a problem for no status that is a good answer', () => {
    const statuses = problemsOf(operation).map((code) => problems[code].status as number);
    expect(statuses.filter((status) => answers[status])).toEqual([]);
  });

  test('says in a few words what it does, and ends longer texts with a full stop', () => {
    expect(summary).toMatch(/^[A-Z][^.]{5,60}[^.]$/);
    expect(description ?? 'Nothing.').toMatch(/\.$/);
  });
});

describe('every problem', () => {
  test('is explained', () => {
    expect(Object.keys(problemTexts)).toEqual(Object.keys(problems));
  });

  test.each(Object.keys(problems) as (keyof typeof problems)[])('%s has an example that is one', (code) => {
    expect(Problem.parse(problemExample(code))).toEqual(problemExample(code));
  });
});

function fieldNames(schema: unknown): string[] {
  return Object.keys((schema as { shape?: object }).shape ?? {});
}
