// @vitest-environment node
import { expect, test, vi } from 'vitest';

test('does nothing without a warning where there is no browser', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { fetch } = globalThis;
  const { log } = console;
  const { init, captureException, addBreadcrumb, setUser, flush, close } = await import('../src/index.ts');
  init({ apiKey: 'pk_test', endpoint: 'https://errors.test' });
  init({} as never);
  expect(captureException(new Error('on a server'))).toBeUndefined();
  addBreadcrumb({ message: 'on a server' });
  setUser({ id: 7 });
  expect([globalThis.fetch, console.log]).toEqual([fetch, log]);
  await expect(flush()).resolves.toBe(true);
  await expect(close()).resolves.toBe(true);
  expect(warn).not.toHaveBeenCalled();
});
