import { expect } from 'vitest';
import type { Page } from '../test-context.ts';
import type { SdkPromise } from '../sdk-promise.ts';

export const noLeak: SdkPromise = {
  promise: 'The SDK keeps no reference to 10,000 errors, nor to the objects of breadcrumbs',
  cases: {
    'objects that the page releases are collected, and the heap does not grow': async ({ open, page, tab }) => {
      await open({ before: keepQuiet, script: prepareTrouble });
      await page.run(() => self.makeTrouble(1_000));
      await expectCollected(page);
      const before = await tab.heapBytes?.();
      await page.run(() => self.makeTrouble(10_000));
      await expectCollected(page);
      if (before) await expect.poll(() => tab.heapBytes?.()).toBeLessThan(before + 50_000);
    },
  },
};

async function expectCollected(page: Page): Promise<void> {
  await page.flush();
  // No engine lets a page start a garbage collection, so the page allocates memory until one runs.
  const left = (): Promise<number> =>
    page.run(async () => {
      for (let round = 0; round < 20; round++) {
        const more = Array.from({ length: 50_000 }, (_, index) => ({ index, text: `ballast ${index}` }));
        // Most of it is kept for a while: engines check surviving objects again only when the heap has grown.
        self.ballast = round % 8 === 0 ? [more] : [...(self.ballast ?? []), more];
        await new Promise((resolve) => setTimeout(resolve));
      }
      self.ballast = undefined;
      self.watched = self.watched.filter((watched) => watched.deref() !== undefined);
      return self.watched.length;
    });
  await expect.poll(left, { message: 'objects that are not collected' }).toBeLessThan(100);
}

/** Silences the console, because it also keeps references. */
function keepQuiet(): void {
  console.log = () => {};
  for (const name of ['error', 'unhandledrejection']) addEventListener(name, (event) => event.preventDefault());
}

/** Creates errors of every kind and objects of breadcrumbs, and watches them with a WeakRef. */
function prepareTrouble(): void {
  self.watched = [];
  const watch = <Kind extends object>(value: Kind): Kind => {
    self.watched.push(new WeakRef(value));
    return value;
  };
  self.makeTrouble = async (count) => {
    for (let made = 0; made < count; made++) {
      const error = watch(new Error(`trouble ${made}`, { cause: watch(new Error('the cause')) }));
      if (made % 3 === 0) ServiceSDK.captureException(error, { metadata: { error } });
      else if (made % 3 === 1) reportError(error);
      else void Promise.reject(error);
      // Values that are not errors: the SDK tells them apart by identity.
      if (made % 10 === 0) ServiceSDK.captureException(watch({ made }));
      if (made % 10 === 5) void Promise.reject(watch({ refused: made }));

      if (made % 100 === 0) {
        const button = watch(document.body.appendChild(document.createElement('button')));
        button.click();
        button.remove();
        await new Promise((resolve) => setTimeout(resolve));
      }
      console.log(watch({ made }));
    }
    // Firefox's own console keeps the last 250 rejections.
    for (let made = 0; made < 300; made++) void Promise.reject(new Error('not watched'));
  };
}

declare global {
  var watched: WeakRef<object>[];
  var makeTrouble: (count: number) => Promise<void>;
  var ballast: unknown[] | undefined;
}
