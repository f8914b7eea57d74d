import { problems, type ProblemCode } from '@service/protocol';
import { operations, problemsOf, type Operation } from '@service/protocol/operations';
import { expect } from 'vitest';

/**
 * Asserts that a response matches the table of operations: its status, the fields of its body, and its error code. The
 * test client calls it for every API response that it can read, so API tests also verify the description of the API.
 */
export function expectAsDescribed(method: string, path: string, status: number, text: string): void {
  const operation = findOperation(method, path);
  if (!operation || method.toUpperCase() === 'HEAD') return;
  const call = `${method} ${operation.path}`;
  const described = operation.responses[status];
  if (!described) {
    const { code } = JSON.parse(text) as { code?: ProblemCode };
    expect(problemsOf(operation), `the table of operations lists all error codes of ${call}`).toContain(code);
    expect(code && problems[code].status).toBe(status);
    return;
  }
  if (described.body === null) {
    expect(text, `${call} responds without a body`).toBe('');
    return;
  }
  // A field with this name is data here, but zod never returns it.
  const body: unknown = JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
  const parsed = described.body.schema.safeParse(body);
  expect(parsed.error?.issues ?? [], `the response of ${call} matches its schema`).toEqual([]);
  // Parsing removes unknown fields, so a difference is a field that the schema lacks.
  expect(body, `the response of ${call} has no fields outside its schema`).toEqual(parsed.data);
}

function findOperation(method: string, path: string): Operation | undefined {
  const [pathname = ''] = path.split('?');
  return operations.find(
    (operation) =>
      operation.method === method.toLowerCase() &&
      new RegExp(`^${operation.path.replace(/:\w+/g, '[^/]+')}$`).test(`/${pathname}`),
  );
}
