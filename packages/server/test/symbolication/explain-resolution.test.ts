import { expect, test } from 'vitest';
import type { StackFrame } from '../../src/stack/stack-frame.ts';
import type { Services } from '../../src/services.ts';
import { explainResolution } from '../../src/symbolication/explain-resolution.ts';
import { parseStack } from '../../src/stack/parse-stack.ts';
import type { SourceMapRecord } from '../../src/store/records/source-map-records.ts';

const build = { projectId: 1, release: '1', debugIds: {}, url: 'https://shop.example/' };

function mapOf(id: number, fields: Partial<SourceMapRecord>): SourceMapRecord {
  const created_at = new Date(Date.UTC(2026, 0, 1) + id).toISOString();
  return {
    id,
    created_at,
    project_id: 1,
    file: 'app.js',
    release: '1',
    url: null,
    debug_id: null,
    ...fields,
  } as SourceMapRecord;
}

/** Returns services with these source maps. */
function servicesOf(maps: readonly SourceMapRecord[]): Services {
  return { store: { model: { mapsOf: () => maps, renamesOf: () => new Map() } } } as unknown as Services;
}

function framesOf(files: readonly string[]) {
  const lines = files.map((file) => `    at a (https://shop.example/${file}:1:1)`);
  return parseStack(['Error: It broke', ...lines].join('\n')).frames;
}

test('explainResolution() explains frames without a map without scanning all maps for each, and yields in between', async () => {
  let looks = 0;
  const maps = Array.from({ length: 5_000 }, (_, n) =>
    Object.defineProperty(mapOf(n + 1, {}), 'file', { get: () => (looks++, `chunk-${n}.js`) }),
  );
  const services = servicesOf(maps);
  const stack = framesOf(Array.from({ length: 100 }, (_, n) => `chunk-${n}x.js`));
  await explainResolution(services, stack.slice(0, 1), build);
  looks = 0;
  let breaks = 0;
  let isOver = false;
  const count = (): void => {
    breaks++;
    if (!isOver) setImmediate(count);
  };
  count();
  const explained = await explainResolution(services, stack, build);
  isOver = true;
  expect(explained).toHaveLength(100);
  expect(explained[7]).toMatchObject({ result: 'no_map_for_file', detail: { file: 'chunk-7x.js' } });
  expect(looks).toBeLessThan(2 * maps.length);
  expect(breaks).toBeGreaterThan(10);
});

test("explainResolution() counts a script on the host of a map URL as the app's, and reports which map is missing", async () => {
  const stack = parseStack('Error: It broke\n    at a (https://cdn.example/assets/cart-71ad90ef.js:1:900)').frames;
  const reason = async (fields: Partial<SourceMapRecord>) => {
    const [frame] = await explainResolution(servicesOf([mapOf(1, fields)]), stack, build);
    return { result: frame?.result, detail: frame?.detail };
  };
  expect(await reason({ url: 'https://cdn.example/assets/app.js' })).toEqual({
    result: 'no_map_for_file',
    detail: { file: 'cart-71ad90ef.js', nearest: [] },
  });
  expect(await reason({ url: 'https://CDN.example/app.js', release: '0' })).toEqual({
    result: 'no_map_for_release',
    detail: { release: '1', releases: ['0'] },
  });
  for (const url of [
    null,
    '~/assets/app.js',
    '/assets/app.js',
    'https://other.example/app.js',
    'https://',
    'cdn.example',
  ])
    expect(await reason({ url })).toEqual({ result: 'third_party', detail: {} });
});

test('explainResolution() returns the most similar names first, and equally similar ones in alphabetical order', async () => {
  const names = ['vendor.js', 'app-71ab.js', 'app-9c1d.js', 'app.js', 'app-71ac.js', 'app-71ab.js'];
  const maps = names.map((file, n) => mapOf(n + 1, { file, url: `~/${n}/${file}` }));
  const [frame] = await explainResolution(servicesOf(maps), framesOf(['app-71ad.js']), build);
  expect(frame?.detail).toEqual({ file: 'app-71ad.js', nearest: ['app-71ab.js', 'app-71ac.js', 'app-9c1d.js'] });
});

test.each([
  ['t.cjs', []],
  ['index-D1aB2c3D.js', ['index-CcFQRxfY.js']],
  ['index.js', ['index-CcFQRxfY.js']],
  ['.js', []],
])('explainResolution() returns no name that is not similar to %s', async (file, nearest) => {
  const maps = ['index-CcFQRxfY.js', 'vendor.js'].map((one, n) => mapOf(n + 1, { file: one }));
  const [frame] = await explainResolution(servicesOf(maps), framesOf([file]), build);
  expect(frame?.detail).toEqual({ file, nearest });
});

test('explainResolution() reads in the lines that the client sent whether a file with long lines is minified', async () => {
  const resultOf = async (text: string | null) => {
    const frame: StackFrame = { function: 'go', file: 'https://shop.example/t.cjs', line: 3, column: 400 };
    if (text !== null) frame.sentContext = [{ line: 3, text }];
    // A frame without lines is in the same file.
    const other: StackFrame = { ...frame, column: 900 };
    delete other.sentContext;
    const explained = await explainResolution(servicesOf([mapOf(1, {})]), [frame, other], build);
    return explained.map(({ result }) => result);
  };
  expect(await resultOf('const a = [1, 2]; go(a, () => { throw new Error("no"); });')).toEqual([
    'not_minified',
    'not_minified',
  ]);
  for (const text of [null, 'const a=[1,2];go(a,()=>{throw new Error("no, not so")});', '{snip} return}'])
    expect(await resultOf(text)).toEqual(['no_map_for_file', 'no_map_for_file']);
});

test('explainResolution() lists the ten newest releases that have the file, by its name or its URL', async () => {
  const maps = Array.from({ length: 15 }, (_, n) =>
    mapOf(n + 1, { release: `v${n}`, ...(n % 2 ? { file: 'main.js', url: '~/main/app.js?v=1' } : {}) }),
  );
  const [byName, byUrl, unknown] = await explainResolution(
    servicesOf([...maps, mapOf(16, { release: 'v0' })]),
    framesOf(['app.js', 'main/app.js', 'other.js']),
    build,
  );
  const newest = (from: readonly number[]): string[] => from.map((n) => `v${n}`);
  expect(byName?.detail).toEqual({ release: '1', releases: newest([0, 14, 12, 10, 8, 6, 4, 2]) });
  expect(byUrl?.detail).toEqual({ release: '1', releases: newest([0, 14, 13, 12, 11, 10, 9, 8, 7, 6]) });
  expect(unknown?.detail).toEqual({ release: '1', releases: newest([0, 14, 13, 12, 11, 10, 9, 8, 7, 6]) });
});
