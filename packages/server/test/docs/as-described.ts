import { problems, type ProblemCode } from '@service/protocol';
import { operations, problemsOf, type Operation } from '@service/protocol/operations';
import { expect } from 'vitest';

/**
 * What the table of operations says of an answer has to be true: the status, each field of the body, and the code of a
 * problem. Every call that a test makes is held against it, so the description of the API is as right as the tests are many.
 */
export function expectAsDescribed(method: string, path: string, status: number, text: string): void {
  const operation = findOperation(method, path);
  if (!operation || method.toUpperCase() === 'HEAD') return;
  const call = `${method} ${operation.path}`;
  const answer = operation.answers[status];
  if (!answer) {
    const { code } = JSON.parse(text) as { code?: ProblemCode };
    expect(problemsOf(operation), `the row of ${call} in the table of operations tells all its problems`).toContain(
      code,
    );
    expect(code && problems[code].status).toBe(status);
    return;
  }
  if (answer.body === null) {
    expect(text, `${call} is answered without a body`).toBe('');
    return;
  }
  // A field of this name is data, and what a schema returns never has it.
  const body: unknown = JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
  const read = answer.body.schema.safeParse(body);
  expect(read.error?.issues ?? [], `${call} is answered as its row in the table of operations says`).toEqual([]);
  // What a schema does not know it leaves out.
  expect(body, `${call} answers only what its row in the table of operations says`).toEqual(read.data);
}

function findOperation(method: string, path: string): Operation | undefined {
  const [pathname = ''] = path.split('?');
  return operations.find(
    (operation) =>
      operation.method === method.toLowerCase() &&
      new RegExp(`^${operation.path.replace(/:\w+/g, '[^/]+')}$`).test(`/${pathname}`),
  );
}
