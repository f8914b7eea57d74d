import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { abuses } from './abuse/all.ts';
import { chromium } from './chromium.ts';
import type { Engine } from './engine.ts';
import { firefox } from './firefox.ts';
import { promises } from './promises/all.ts';
import type { SdkPromise } from './sdk-promise.ts';
import { openBrowserSession, type BrowserSession } from './test-context.ts';
import { table } from './table.ts';
import { webkit } from './webkit.ts';
import { isThorough } from '../test-utils/depth.ts';

const engines = [chromium, firefox, webkit];

/** A short run tests the SDK in one engine. */
const isTested = (engine: Engine): boolean => !engine.missing && (isThorough || engine === chromium);

/** The tables of docs/browsers.md, in their order. */
const tables = [
  { title: 'promise', rows: promises },
  { title: 'abuse', rows: abuses },
];

/** The results: an engine's version, and how many cases of each promise passed. */
const results = new Map(
  engines.map((engine) => [engine, { version: engine.name as string, passed: new Map<string, number>() }]),
);

const format = (
  { title, rows }: (typeof tables)[number],
  head: string[],
  cell: (promise: SdkPromise, engine: Engine) => string,
): string =>
  table(
    [title, ...head],
    rows.map((row) => [row.promise, ...engines.map((engine) => cell(row, engine))]),
  );

test('docs/browsers.md lists each promise with its number of cases', async () => {
  const path = fileURLToPath(new URL('../../docs/browsers.md', import.meta.url));
  const names = engines.map(({ name }) => name);
  const expectedTables = tables.map((given) =>
    format(given, names, ({ cases }) => `${Object.keys(cases).length}/${Object.keys(cases).length}`),
  );
  // `vitest -u` updates the tables.
  const text = await readFile(path, 'utf8');
  const expected = text.replace(/(^\|.*\n)+/gm, () => `${expectedTables.shift()}\n`);
  expect(expectedTables, 'tables that the page lacks').toEqual([]);
  await expect(expected).toMatchFileSnapshot(path);
});

test('the SDK is built', () => {
  const built = new URL('../../packages/browser/dist/index.iife.js', import.meta.url);
  expect(existsSync(built), 'Run `npm run setup` first.').toBe(true);
});

for (const engine of engines) {
  if (engine.missing)
    console.warn(`Skipped the SDK tests in ${engine.name}. To run them: apt-get install ${engine.missing}`);

  describe.runIf(isTested(engine))(engine.name, () => {
    let session: BrowserSession;
    const { passed } = results.get(engine)!;
    beforeAll(async () => {
      session = await openBrowserSession(engine);
      results.get(engine)!.version = session.tab.version;
    });
    afterAll(() => session?.close());

    for (const { promise, cases } of tables.flatMap(({ rows }) => rows)) {
      describe(promise, () => {
        test.each(Object.entries(cases))('%s', async (_, run) => {
          expect.hasAssertions();
          await run(session.newContext());
          passed.set(promise, (passed.get(promise) ?? 0) + 1);
        });
      });
    }
  });
}

afterAll(() => {
  const versions = engines.map((engine) => results.get(engine)!.version);
  for (const given of tables) {
    const passedCases = format(given, versions, ({ promise, cases }, engine) => {
      const passed = results.get(engine)!.passed.get(promise) ?? 0;
      return isTested(engine) ? `${passed}/${Object.keys(cases).length}` : 'not tested';
    });
    console.log(passedCases);
  }
});
