import { H3 } from 'h3';
import { expect, test } from 'vitest';
import { readForm } from '../../src/http/multipart.ts';
import { ProblemError } from '../../src/problem.ts';

/** Posts a form to an app that reads it by these rules, and resolves with what reading it has thrown. */
async function errorOf(body: string, fileBytes: number): Promise<unknown> {
  let caught: unknown = null;
  const app = new H3({ silent: true });
  app.post('/', async (event) => {
    try {
      await readForm(event, {
        file: 'file',
        fileBytes,
        fields: {},
        take: async () => 'taken',
        forget: async () => undefined,
        isInTheWay: () => false,
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

test('a body that is no form is the fault of the request', async () => {
  expect(await errorOf('nothing', 1_000)).toMatchObject({ code: 'malformed_multipart' });
});

test('a defect of the server is not told as the fault of the request', async () => {
  const error = await errorOf('nothing', Number.NaN);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).not.toBeInstanceOf(ProblemError);
});
