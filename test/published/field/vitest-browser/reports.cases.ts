import { captureException, flush, init } from '@service/browser';
import { resetServiceSDK } from '@service/browser/testing';
import { afterEach, expect, inject, test, vi } from 'vitest';

afterEach(() => resetServiceSDK());

test('a missing total is reported', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  init(inject('service'));
  captureException(new Error('total is missing'));
  await flush();
  const response = await fetched.mock.results[0]?.value;
  expect(response.status).toBe(200);
});
