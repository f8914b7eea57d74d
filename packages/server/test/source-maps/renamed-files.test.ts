import { SourceMapGenerator } from 'source-map';
import { expect, test } from 'vitest';
import { describeService, type TestResponse, type TestService } from '../test-utils/describe-service.ts';

const cart = [
  'export class Cart {',
  '  total() {',
  '    const sum = this.items.reduce(add, 0);',
  '    return sum - this.discount;',
  '  }',
  '}',
];
const main = ['import { Cart } from "./cart";', 'const cart = new Cart();', 'show(cart.total());', 'listen(cart);'];
const other = [
  'export function pay(order) {',
  '  const left = order.price - order.paid;',
  '  return send(left, order.id);',
  '}',
];

type Files = Record<string, readonly string[]>;

/** Returns the map of a one-line script. The third line of the n-th file is at column 100 n + 1. */
function mapOf(files: Files): string {
  const generator = new SourceMapGenerator({ file: 'app-3f2a9c1b.js' });
  for (const [index, [source, lines]] of Object.entries(files).entries()) {
    generator.addMapping({ generated: { line: 1, column: 100 * index }, original: { line: 3, column: 4 }, source });
    generator.setSourceContent(source, lines.join('\n'));
  }
  return JSON.stringify(generator.toJSON());
}

async function upload(
  { call }: TestService,
  release: string,
  files: Files,
  script = 'app-3f2a9c1b',
): Promise<TestResponse> {
  const body = new FormData();
  body.set('release', release);
  body.set('file', new Blob([mapOf(files)]), `${script}.js.map`);
  return call('POST', 'projects/1/source-maps', { body });
}

/** Reports an error in the n-th file of the script's map. Returns its fingerprint. */
async function fingerprintOf(
  service: TestService,
  release: string,
  nth: number,
  script = 'app-3f2a9c1b',
): Promise<string | undefined> {
  const location = `https://shop.example/assets/${script}.js:1:${100 * nth + 1}`;
  const { body } = await service.report({
    release,
    message: 'Broken',
    type: 'Error',
    stacktrace: `Error: Broken\n    at a (${location})`,
  });
  return body.fingerprint;
}

describeService('a file that is renamed between two releases', (start, driver) => {
  test('a renamed file keeps its groups, also with edited lines, and they show its new path', async () => {
    const service = await start();
    await upload(service, '1', { 'src/cart.ts': cart, 'src/main.ts': main });
    await upload(service, '2', {
      'src/shop/basket.ts': [...cart.slice(0, 4), '    // New.', ...cart.slice(4)],
      'src/main.ts': main,
    });
    const first = await fingerprintOf(service, '1', 0);
    expect(await fingerprintOf(service, '2', 0)).toBe(first);
    expect(await fingerprintOf(service, '1', 1)).not.toBe(first);
    expect(await fingerprintOf(service, '2', 1)).toBe(await fingerprintOf(service, '1', 1));
    const { body } = await service.call('GET', 'errors/1');
    expect([body.latest_report?.frames[0]?.file, body.culprit]).toEqual([
      'src/shop/basket.ts',
      'Cart.total (src/shop/basket.ts)',
    ]);
    if (driver === 'file:') await service.restart();
    expect(await fingerprintOf(service, '2', 0)).toBe(first);
    // The map of the previous release is no longer needed.
    await service.call('DELETE', 'projects/1/source-maps/1');
    await upload(service, '2', { 'src/lazy.ts': other }, 'lazy-77aa88bb');
    expect(await fingerprintOf(service, '2', 0)).toBe(first);
  });

  test('a file that is renamed several times keeps its fingerprint, in the paths of every bundler', async () => {
    const service = await start();
    await upload(service, '1', { 'src/cart.ts': cart, 'src/main.ts': main });
    await upload(service, '2', { 'webpack://shop/./src/basket.ts': cart, 'webpack://shop/./src/main.ts': main });
    await upload(service, '3', { '../../lib/bag.ts': cart, '../../src/main.ts': main });
    await upload(service, '4', { '../../src/cart.ts': cart, '../../src/main.ts': main });
    const fingerprints = [];
    for (const release of ['4', '3', '2', '1']) fingerprints.push(await fingerprintOf(service, release, 0));
    expect(new Set(fingerprints).size).toBe(1);
  });

  test('a new file with other content, or a copy, does not count as renamed', async () => {
    const service = await start();
    await upload(service, '1', { 'src/cart.ts': cart, 'src/main.ts': main });
    await upload(service, '2', { 'src/pay.ts': other, 'src/main.ts': main });
    await upload(service, '3', { 'src/pay.ts': other, 'src/main.ts': main, 'src/paid.ts': other });
    expect(await fingerprintOf(service, '2', 0)).not.toBe(await fingerprintOf(service, '1', 0));
    expect(await fingerprintOf(service, '3', 2)).not.toBe(await fingerprintOf(service, '3', 0));
  });

  test('a file that another map of the release still contains does not count as renamed', async () => {
    const service = await start();
    await upload(service, '1', { 'src/cart.ts': cart, 'src/main.ts': main });
    await upload(service, '2', { 'src/copy.ts': cart, 'src/main.ts': main });
    await upload(service, '2', { 'src/cart.ts': cart }, 'lazy-77aa88bb');
    expect(await fingerprintOf(service, '2', 0)).not.toBe(await fingerprintOf(service, '1', 0));
    expect(await fingerprintOf(service, '2', 0, 'lazy-77aa88bb')).toBe(await fingerprintOf(service, '1', 0));
  });

  test('a file that two apps of a project share does not count as renamed between them', async () => {
    const service = await start();
    const more = Array.from({ length: 6 }, (_, index): [string, string[]] => [
      `admin/${index}.ts`,
      [`a${index}();`, `b${index}();`, `c${index}();`],
    ]);
    const web: Files = Object.fromEntries(
      more.map(([path, lines]) => [path.replace('admin', 'web'), lines.map((line) => `${line} // web`)]),
    );
    await upload(service, 'web@1', { 'web/cart.ts': cart, ...web });
    await upload(service, 'admin@1', { 'admin/cart.ts': cart, ...Object.fromEntries(more) }, 'admin-77aa88bb');
    expect(await fingerprintOf(service, 'admin@1', 0, 'admin-77aa88bb')).not.toBe(
      await fingerprintOf(service, 'web@1', 0),
    );
    await upload(service, 'web@2', { 'web/basket.ts': cart, ...web });
    expect(await fingerprintOf(service, 'web@2', 0)).toBe(await fingerprintOf(service, 'web@1', 0));
  });
});
