// @vitest-environment node
import { expect, test, vi } from 'vitest';

test('warns once and does nothing where there is no browser', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { init, flush } = await import('../src/index.ts');
  init({ apiKey: 'pk_test', endpoint: 'https://errors.test' });
  init({ apiKey: 'pk_test', endpoint: 'https://errors.test' });
  await expect(flush()).resolves.toBe(true);
  expect(warn.mock.calls).toEqual([['[ServiceSDK] W2: Check apiKey, endpoint']]);
});
