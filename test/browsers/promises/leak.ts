import { expect } from 'vitest';
import type { Page } from '../scene.ts';
import type { Promised } from './promised.ts';

export const noLeak: Promised = {
  promise: 'Nothing is kept of 10,000 errors, nor of what breadcrumbs were about',
  cases: {
    'what the page lets go of is collected, and the heap is no larger where it is told': async ({
      open,
      page,
      tab,
    }) => {
      await open({ before: keepQuiet, script: prepareTrouble });
      await page.run(() => self.makeTrouble(1_000));
      await expectCollected(page);
      const before = await tab.heapBytes?.();
      await page.run(() => self.makeTrouble(10_000));
      await expectCollected(page);
      if (before) await expect.poll(() => tab.heapBytes?.(), { timeout: 20_000 }).toBeLessThan(before + 50_000);
    },
  },
};

async function expectCollected(page: Page): Promise<void> {
  await page.flush();
  // No engine lets a page ask for a collection, so room is asked for until one comes.
  const left = (): Promise<number> =>
    page.run(async () => {
      for (let round = 0; round < 20; round++) {
        const more = Array.from({ length: 50_000 }, (_, index) => ({ index, text: `ballast ${index}` }));
        // Much of it lives on for a while: what has survived once is looked at again only when the heap has grown.
        self.ballast = round % 8 === 0 ? [more] : [...(self.ballast ?? []), more];
        await new Promise((resolve) => setTimeout(resolve));
      }
      self.ballast = undefined;
      self.watched = self.watched.filter((watched) => watched.deref() !== undefined);
      return self.watched.length;
    });
  await expect.poll(left, { message: 'objects that are still there', timeout: 30_000 }).toBeLessThan(100);
}

/** What the console keeps is not the SDK's doing, so nothing gets there. */
function keepQuiet(): void {
  console.log = () => {};
  for (const name of ['error', 'unhandledrejection']) addEventListener(name, (event) => event.preventDefault());
}

/** Errors of each way, and what breadcrumbs tell of, all of which is watched. */
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

      if (made % 100 === 0) {
        const button = watch(document.body.appendChild(document.createElement('button')));
        button.click();
        button.remove();
        await new Promise((resolve) => setTimeout(resolve));
      }
      console.log(watch({ made }));
    }
    // Firefox's own console remembers the last 250 rejections.
    for (let made = 0; made < 300; made++) void Promise.reject(new Error('not watched'));
  };
}

declare global {
  var watched: WeakRef<object>[];
  var makeTrouble: (count: number) => Promise<void>;
  var ballast: unknown[] | undefined;
}
