import { H3 } from 'h3';
import { expect, test } from 'vitest';
import { readForm } from '../../src/http/multipart.ts';
import { ProblemError } from '../../src/problem.ts';

/** Posts a form to an app that reads it, and resolves with the error that reading has thrown. */
async function errorOf(body: string, fileBytes: number): Promise<unknown> {
  let caught: unknown = null;
  const app = new H3({ silent: true });
  app.post('/', async (event) => {
    try {
      await readForm(event, {
        file: 'file',
        fileBytes,
        fields: {},
        process: async () => 'result',
        discard: async () => undefined,
        isBudgetFull: () => false,
      });
    } catch (error) {
      caught = error;
    }
    return '';
  });
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  await app.fetch(new Request('http://127.0.0.1/', { method: 'POST', headers, body }));
  return caught;
}

test('readForm rejects a body that is not a form with `malformed_multipart`', async () => {
  expect(await errorOf('nothing', 1_000)).toMatchObject({ code: 'malformed_multipart' });
});

test('readForm rethrows a bug of the server instead of blaming the request', async () => {
  const error = await errorOf('nothing', Number.NaN);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).not.toBeInstanceOf(ProblemError);
});
