import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';

const ids = ['0b0c0d0e-0000-4000-8000-000000000001', '0b0c0d0e-0000-4000-8000-000000000002'];

/** Returns the code that a bundler plugin puts at the start of a bundle. */
const register = (id: string | undefined): string =>
  `(globalThis.__serviceDebugIds ??= {})[new Error().stack] = ${JSON.stringify(id)};\n`;

export const debugIds: SdkPromise = {
  promise: 'A report carries the debug ids of the bundles in its stack',
  cases: {
    'two bundles with an id, and a script without one': async ({ add, sink, tab }) => {
      const url = add({
        html: '<script defer src="shop.js"></script><script defer src="never-failing.js"></script>',
        files: {
          'shop.js': `${register(ids[0])}addEventListener('load', function checkout() { buy(); });`,
          'never-failing.js': register(ids[1]),
        },
        script: () => {
          self.buy = () => {
            throw new TypeError('no cart');
          };
        },
      });
      await tab.goto(url);
      const [report] = await sink.reports(1);
      expect(report).toMatchObject({ message: 'no cart', debug_ids: { [`${url}shop.js`]: ids[0] } });
      expect(Object.keys((report as { debug_ids?: object }).debug_ids ?? {})).toHaveLength(1);
    },
  },
};

declare global {
  var buy: () => void;
}
