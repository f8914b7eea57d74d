import { expect, test, vi } from 'vitest';
import type * as Sdk from '../../src/index.ts';
import { snippet } from '../../src/loader/index.ts';
import type { PageState } from '../../src/page-state.ts';
import { loadPage, options, rejectUnhandled, sent, throwUncaught, warnings } from '../page.ts';

/** Loads a page whose first inline script is the snippet. */
async function loadPageWithSnippet(): Promise<typeof Sdk> {
  Reflect.deleteProperty(window, '__serviceSDK');
  const page = await loadPage();
  runSnippet();
  return page;
}

function runSnippet(): void {
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- happy-dom runs no inline scripts
  new Function(snippet)();
}

/** Starts the SDK and returns the messages of its reports, in order. */
function initAndWatch(init: typeof Sdk.init): string[] {
  const messages: string[] = [];
  init({
    ...options,
    async transport({ message }) {
      messages.push(message);
      return { status: 200 };
    },
  });
  return messages;
}

test('reports errors from before init() once and in order', async () => {
  const { init, flush } = await loadPageWithSnippet();
  throwUncaught(new TypeError('first'));
  rejectUnhandled(new Error('second'));
  throwUncaught(null, 'Uncaught SyntaxError: third');
  expect(await sent()).toEqual([]);
  const messages = initAndWatch(init);
  await flush();
  expect(messages).toEqual(['first', 'second', 'SyntaxError: third']);
  expect(warnings()).toEqual([]);
});

test('reports an early error with the time when it happened', async () => {
  const { init } = await loadPageWithSnippet();
  const before = Date.now();
  throwUncaught(new Error('early'));
  const after = Date.now();
  await expect.poll(() => Date.now()).toBeGreaterThan(after + 50);
  init(options);
  const [report] = await sent();
  const happened = Date.parse(report?.timestamp ?? '');
  // Event times and dates are rounded separately.
  expect(happened).toBeGreaterThanOrEqual(before - 2);
  expect(happened).toBeLessThanOrEqual(after + 2);
});

test('reports an image that failed early with the time of the failure', async () => {
  const { init } = await loadPageWithSnippet();
  const image = document.body.appendChild(document.createElement('img'));
  image.src = 'https://shop.test/early.png';
  const before = Date.now();
  // In happy-dom, only events that bubble reach the window.
  image.dispatchEvent(new Event('error', { bubbles: true }));
  const after = Date.now();
  await expect.poll(() => Date.now()).toBeGreaterThan(after + 50);
  init(options);
  const [report] = await sent();
  expect(report?.message).toBe('Could not load https://shop.test/early.png');
  const happened = Date.parse(report?.timestamp ?? '');
  expect(happened).toBeGreaterThanOrEqual(before - 2);
  expect(happened).toBeLessThanOrEqual(after + 2);
});

test('releases the early events after init()', async () => {
  const { init } = await loadPageWithSnippet();
  const state = (): PageState => (window as { __serviceSDK?: PageState }).__serviceSDK!;
  const { early } = state();
  throwUncaught(new Error('early'));
  expect(early).toHaveLength(1);
  init(options);
  expect(early).toEqual([]);
  expect(state().early).toBeFalsy();
});

test('keeps twenty early errors and reports them all', async () => {
  const { init, flush } = await loadPageWithSnippet();
  for (let index = 1; index <= 25; index++) throwUncaught(new Error(`early ${index}`));
  const messages = initAndWatch(init);
  await flush();
  expect(messages).toEqual(Array.from({ length: 20 }, (_, index) => `early ${index + 1}`));
});

test('init() removes the listeners of the snippet and reports later errors', async () => {
  const { init } = await loadPageWithSnippet();
  const removed = vi.spyOn(window, 'removeEventListener');
  throwUncaught(new Error('early'));
  init(options);
  expect(removed.mock.calls.map(([type]) => type)).toEqual(['error', 'unhandledrejection']);
  throwUncaught(new Error('later'));
  expect((await sent()).map(({ message }) => message).toSorted()).toEqual(['early', 'later']);
});

test('reports no early error again after close() and init()', async () => {
  const { init, close } = await loadPageWithSnippet();
  throwUncaught(new Error('early'));
  init(options);
  await sent();
  close();
  init(options);
  expect((await sent()).map(({ message }) => message).toSorted()).toEqual(['early']);
});

test('a second snippet loses no early error and reports none twice', async () => {
  const { init } = await loadPageWithSnippet();
  throwUncaught(new Error('one'));
  runSnippet();
  throwUncaught(new Error('two'));
  init(options);
  runSnippet();
  throwUncaught(new Error('three'));
  expect((await sent()).map(({ message }) => message).toSorted()).toEqual(['one', 'three', 'two']);
});

test('the errors entry also reports early errors', async () => {
  await loadPageWithSnippet();
  throwUncaught(new Error('early'));
  const { init } = await import('../../src/errors.ts');
  init(options);
  expect((await sent()).map(({ message }) => message).toSorted()).toEqual(['early']);
});

test('the snippet needs no escaping inside a page', () => {
  expect(snippet).toMatch(/^[\x20-\x7e]+$/);
  expect(snippet).not.toMatch(/<\/script|<!--|<script/i);
});
