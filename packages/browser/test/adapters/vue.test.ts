import { createApp, defineComponent, h, nextTick, ref, type App } from 'vue';
import { afterEach, expect, test, vi } from 'vitest';
import type * as Adapter from '../../src/vue/index.ts';
import { loadPage, openPage, sent, onlyReport, throwUncaught } from '../page.ts';

let app: App | undefined;

afterEach(() => {
  app?.unmount();
  app = undefined;
});

/** Imports the adapter of the current page, which shares the SDK's state. */
function adapter(): Promise<typeof Adapter> {
  return import('../../src/vue/index.ts');
}

async function show(component: object, errorHandler?: App['config']['errorHandler']): Promise<HTMLElement> {
  const { errorReporting } = await adapter();
  const element = document.body.appendChild(document.createElement('div'));
  app = createApp(component);
  if (errorHandler) app.config.errorHandler = errorHandler;
  app.use(errorReporting).mount(element);
  return element;
}

const failing = (thrown: unknown) => () => {
  throw thrown;
};

test('reports an error of a component with the component name and lifecycle hook', async () => {
  await openPage();
  const Basket = defineComponent({ name: 'Basket', render: failing(new TypeError('no price')) });
  await show({ render: () => h('main', [h(Basket)]) });
  expect(await onlyReport()).toMatchObject({
    type: 'TypeError',
    message: 'no price',
    metadata: { componentName: 'Basket', lifecycleHook: 'render function' },
  });
});

test('names a component of <script setup> after its file, and leaves other names out', async () => {
  await openPage();
  await show({ __name: 'basket', setup: failing(new Error('named')), render: () => null });
  await show({ mounted: failing(new Error('nameless')), render: () => null });
  expect((await sent()).map(({ message, metadata }) => [message, metadata])).toEqual([
    ['named', { componentName: 'basket', lifecycleHook: 'setup function' }],
    ['nameless', { lifecycleHook: 'mounted hook' }],
  ]);
});

test('reports errors of event handlers, asynchronous ones too, and of watchers', async () => {
  await openPage();
  const count = ref(0);
  const element = await show({
    name: 'Pay',
    watch: { count: failing(new Error('watcher')) },
    setup: () => ({ count }),
    render: () => h('button', { onClick: () => Promise.reject(new Error('refused')) }),
  });
  element.querySelector('button')?.click();
  count.value = 1;
  await nextTick();
  const reported = (await sent()).map(({ message, metadata }) => [message, metadata?.lifecycleHook]);
  expect(new Map(reported as [string, string][])).toEqual(
    new Map([
      ['refused', 'native event handler'],
      ['watcher', 'watcher callback'],
    ]),
  );
});

test('calls a previous error handler of the app with the arguments of Vue', async () => {
  await openPage();
  const previous = vi.fn<NonNullable<App['config']['errorHandler']>>();
  const error = new Error('both');
  await show({ name: 'Basket', setup: failing(error), render: () => null }, previous);
  expect(previous).toHaveBeenCalledExactlyOnceWith(
    error,
    expect.objectContaining({ $options: expect.objectContaining({ name: 'Basket' }) }),
    'setup function',
  );
  expect(console.error).not.toHaveBeenCalled();
  expect(await onlyReport()).toMatchObject({ message: 'both' });
});

test('writes the error to the console if the app has no error handler, as Vue does in production', async () => {
  await openPage();
  const error = new Error('seen');
  await show({ setup: failing(error), render: () => null });
  expect(console.error).toHaveBeenCalledExactlyOnceWith(error);
});

test('reports an error once if a previous error handler throws it again', async () => {
  await openPage();
  const error = new Error('thrown on');
  await expect(show({ setup: failing(error), render: () => null }, failing(error))).rejects.toBe(error);
  throwUncaught(error);
  expect(await onlyReport()).toMatchObject({ message: 'thrown on' });
});

test('the app keeps running if the SDK was not started', async () => {
  await loadPage();
  const element = await show({ mounted: failing(new Error('early')), render: () => 'shop' });
  expect(element.textContent).toBe('shop');
  expect(await sent()).toEqual([]);
});
