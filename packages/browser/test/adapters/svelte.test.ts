import { flushSync, mount, unmount } from 'svelte';
import { expect, test } from 'vitest';
import { openPage, sent, theReport } from '../page.ts';
import Shop from './shop.svelte';

test('what is thrown inside a boundary is reported and written to the console, and the boundary does its work', async () => {
  await openPage();
  const { captureBoundaryError } = await import('../../src/svelte/index.ts');
  const error = new TypeError('no price');
  const shop = mount(Shop, { target: document.body, props: { error, onerror: captureBoundaryError } });
  flushSync();
  expect(document.body.textContent).toContain('one tea');
  expect(await sent()).toEqual([]);

  document.querySelector('button')?.click();
  flushSync();
  expect(document.body.textContent).toContain('The basket is broken');
  expect(await theReport()).toMatchObject({ type: 'TypeError', message: expect.stringContaining('no price') });
  expect(console.error).toHaveBeenCalledExactlyOnceWith(error);
  await unmount(shop);
});
