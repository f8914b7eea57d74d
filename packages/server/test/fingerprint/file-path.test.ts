import { expect, test } from 'vitest';
import { countTextWork } from '../../../../test/test-utils/count-text-work.ts';
import { hasBundleName, normalizePath, packageOf } from '../../src/fingerprint/file-path.ts';

test.each([
  ['webpack://shop/./src/cart.ts?a1b2', 'src/cart.ts'],
  ['webpack:///./src/cart.ts', 'src/cart.ts'],
  ['webpack-internal:///(app-pages-browser)/./src/cart.tsx', 'src/cart.tsx'],
  ['../../src/cart.ts', 'src/cart.ts'],
  ['http://localhost:5173/src/cart.ts?t=17', 'src/cart.ts'],
  ['vue-loader!./src/cart.vue?vue&type=script', 'src/cart.vue'],
  ['src\\cart.ts', 'src/cart.ts'],
  ['https://shop.example/assets/index-46KHIFEC.js', 'assets/index.js'],
  ['/static/main.0d5b2507.chunk.js', 'static/main.chunk.js'],
  ['/src/my-checkout.js', 'src/my-checkout.js'],
  ['https://cdn.shop.example/v1.2.3-rc.1/js/cart.js', 'js/cart.js'],
  ['/20261122101500/0d5b25070d5b25070d5b25070d5b25070d5b2507/cart.js', 'cart.js'],
  ['/_next/static/Xk9zyx987WVU654tsr321/cart.js', '_next/static/cart.js'],
  ['/api/v1/my-very-long-name-of-a-folder/cart.js', 'api/v1/my-very-long-name-of-a-folder/cart.js'],
])('the path %s becomes %s in every build', (file, path) => expect(normalizePath(file)).toBe(path));

test.each([
  'index-46KHIFEC.js',
  'stats-BCUupxWt.js',
  'index-C-84bt9P.js',
  '543.0d5b2507.js',
  'app.min.js',
  '4bd1b696.js',
])('%s is recognized as the name of a bundle', (name) =>
  expect(hasBundleName(`https://shop.example/assets/${name}?v=2`)).toBe(true),
);

test.each(['cart.js', 'my-checkout.js', 'shop-MyWidget.js', 'cart-v2.js', 'index.html'])(
  '%s is not recognized as the name of a bundle, because a source can have it',
  (name) => {
    expect(hasBundleName(`https://shop.example/src/${name}`)).toBe(false);
  },
);

test.each([
  ['../node_modules/lodash/sortBy.js', 'lodash'],
  ['webpack://a/./node_modules/@scope/pkg/a.js', '@scope/pkg'],
  ['node_modules/.pnpm/react-dom@19/node_modules/react-dom/a.js', 'react-dom'],
  ['http://localhost:5173/node_modules/.vite/deps/react-dom_client.js?v=1', 'react-dom_client'],
  ['/venv/lib/python3.12/site-packages/requests/adapters.py', 'requests'],
  ['/venv/site-packages/a/lib/python3.12/site-packages/six.py', 'six'],
  ['C:\\Python312\\Lib\\json\\decoder.py', 'json'],
  ['/usr/lib/python3/dist-packages/yaml/nodes.py', 'yaml'],
  ['/usr/lib/python3.12/json.py', 'json'],
  ['/srv/shop/cart.py', null],
  ['src/cart.ts', null],
])('the file %s belongs to the package %s', (file, name) => expect(packageOf(file)).toBe(name));

test('finds the package of a malicious path in linear time', async () => {
  const paths = ['/lib', '/site-packages/', '/lib7/python3', 'a'].map((part) => `${part.repeat(100_000)}\n.py`);
  for (const path of paths) {
    const steps = await countTextWork(() => packageOf(path));
    expect(steps / path.length).toBeLessThan(40);
  }
});
