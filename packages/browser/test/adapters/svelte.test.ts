import type { SvelteHTMLElements } from 'svelte/elements';
import { expect, test } from 'vitest';
import { importComponent, importSvelte } from './compile-svelte.ts';
import { openPage, sent, onlyReport } from '../page.ts';

type OnError = SvelteHTMLElements['svelte:boundary']['onerror'];

test('reports and logs an error inside a boundary, which still renders its fallback', async () => {
  const { flushSync, mount, unmount } = await importSvelte();
  const Shop = await importComponent<{ error: unknown; onerror: OnError }>('shop.svelte');
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
  expect(await onlyReport()).toMatchObject({ type: 'TypeError', message: expect.stringContaining('no price') });
  expect(console.error).toHaveBeenCalledExactlyOnceWith(error);
  await unmount(shop);
});
