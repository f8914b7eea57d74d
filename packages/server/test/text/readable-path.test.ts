import { expect, test } from 'vitest';
import { readablePath } from '../../src/text/readable-path.ts';

test.each([
  ['src/cart.ts', 'src/cart.ts'],
  ['src/gr%C3%B6%C3%9Fe.ts', 'src/größe.ts'],
  ['%e6%97%a5%e6%9c%ac/my%20cart.ts', '日本/my cart.ts'],
  ['src/%F0%9F%98%80.ts', 'src/😀.ts'],
  // Not UTF-8, not complete, or with a meaning in paths and URLs.
  ['src/%E4.ts', 'src/%E4.ts'],
  ['src/100%.ts', 'src/100%.ts'],
  ['src/a%2Fb%23c%3Fd%25.ts', 'src/a%2Fb%23c%3Fd%25.ts'],
  ['%00vite/preload.js', '%00vite/preload.js'],
  // It would reverse the text after it.
  ['src/%E2%80%AEst.ts', 'src/%E2%80%AEst.ts'],
])('%s is shown as %s', (path, shown) => {
  expect(readablePath(path)).toBe(shown);
});
