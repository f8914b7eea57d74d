import { describe, expect, test } from 'vitest';
import { isInApp } from '../../src/stack/is-in-app.ts';

const page = 'https://shop.example/checkout?id=7';

describe('code of the app', () => {
  test.each([
    'https://shop.example/assets/index-46KHIFEC.js',
    'https://SHOP.example/assets/index.js',
    'https://shop.example:443/assets/index.js',
    'https://user:secret@shop.example/a.js',
    'https://shop.example/checkout',
    '../../src/cart.ts',
    'src/cart.ts',
    './cart.ts',
    'webpack://shop/./src/cart.ts',
    'webpack:///./src/cart.ts',
    'webpack-internal:///./src/cart.ts',
    'file:///android_asset/www/app.js',
    '/srv/app/server.js',
    'C:\\app\\server.js',
    // Code of Hermes. Treating it as third-party code changes fingerprints, so it needs a higher `groupingVersion`.
    'InternalBytecode.js',
  ])('%s', (file) => expect(isInApp({ file }, page)).toBe(true));
});

describe('third-party code', () => {
  test.each([
    'https://shop.example/node_modules/.vite/deps/react.js?v=1',
    'webpack://shop/./node_modules/lodash/lodash.js',
    '../../node_modules/.pnpm/react@19/node_modules/react/index.js',
    'C:\\app\\node_modules\\x\\index.js',
    'https://cdn.example/tag.js',
    'https://shop.example.evil.example/a.js',
    'https://shop.example:8443/a.js',
    'https://shop.example:80/a.js',
    'http://shop.example/a.js',
    'https://shop.example@evil.example/a.js',
    'chrome-extension://abcdef/content.js',
    'moz-extension://abcdef/content.js',
    'safari-web-extension://abcdef/content.js',
    'webkit-masked-url://hidden/',
    'resource://gre/modules/a.sys.mjs',
    'chrome://browser/content/a.js',
    'webpack/bootstrap',
    'webpack://shop/webpack/runtime/chunk loaded',
    'node:internal/timers',
    '/usr/lib/python3/dist-packages/x.py',
    '<frozen importlib>',
    '\0commonjsHelpers.js',
    '',
    null,
  ])('%s', (file) => expect(isInApp({ file }, page)).toBe(false));
});

test('isInApp accepts every origin if the page is unknown', () => {
  expect(isInApp({ file: 'https://cdn.example/app.js' }, null)).toBe(true);
  expect(isInApp({ file: 'https://cdn.example/app.js' }, 'about:blank')).toBe(true);
});

test('isInApp accepts scripts of additional origins on every page, except their dependencies', () => {
  const others = new Set(['https://cdn.example']);
  expect(isInApp({ file: 'https://CDN.example/app.js' }, page, others)).toBe(true);
  expect(isInApp({ file: 'https://cdn.example/node_modules/react/index.js' }, page, others)).toBe(false);
  for (const host of ['http://cdn.example', 'https://cdn.example:8443', 'https://cdn.example.evil.example'])
    expect(isInApp({ file: `${host}/app.js` }, page, others)).toBe(false);
});

test.each([
  'http://',
  'https://[',
  'http://%',
  'https://a:b:c@@/',
  'http://\ud800',
  '://',
  'javascript:alert(1)',
  `http://${'@'.repeat(9_999)}`,
])('isInApp does not throw for an invalid URL: %s', (url) => {
  expect(() => isInApp({ file: url }, page)).not.toThrow();
  expect(() => isInApp({ file: 'https://shop.example/a.js' }, url)).not.toThrow();
});
