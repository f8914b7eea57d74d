import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './chromium.ts';
import type { Engine } from './engine.ts';
import { firefox } from './firefox.ts';
import { promises } from './promises/all.ts';
import type { Promised } from './promises/promised.ts';
import { openStage, type Stage } from './scene.ts';
import { table } from './table.ts';
import { webkit } from './webkit.ts';

const engines = [chromium, firefox, webkit];

/** What was shown: an engine's version, and how many cases of each promise held. */
const shown = new Map(
  engines.map((engine) => [engine, { version: engine.name as string, held: new Map<string, number>() }]),
);

const rowsOf = (cell: (promise: Promised, engine: Engine) => string): string[][] =>
  promises.map((promised) => [promised.promise, ...engines.map((engine) => cell(promised, engine))]);

test('docs/browsers.md shows these promises', async () => {
  const path = fileURLToPath(new URL('../../docs/browsers.md', import.meta.url));
  const rows = rowsOf(({ cases }) => `${Object.keys(cases).length}/${Object.keys(cases).length}`);
  const shownThere = table(['promise', ...engines.map(({ name }) => name)], rows);
  // With -u the table is written there.
  const text = await readFile(path, 'utf8');
  await expect(text.replace(/(^\|.*\n)+/m, `${shownThere}\n`)).toMatchFileSnapshot(path);
});

test('the SDK is built', () => {
  const built = new URL('../../packages/browser/dist/index.iife.js', import.meta.url);
  expect(existsSync(built), 'Run `npm run setup` first, as `npm test` does.').toBe(true);
});

for (const engine of engines) {
  if (engine.missing)
    console.warn(`The SDK is not tried in ${engine.name}: install it with apt-get install ${engine.missing}.`);

  describe.skipIf(engine.missing)(engine.name, { timeout: 90_000 }, () => {
    let stage: Stage;
    const { held } = shown.get(engine)!;
    beforeAll(async () => {
      stage = await openStage(engine);
      shown.get(engine)!.version = stage.tab.version;
    });
    afterAll(() => stage?.close());

    for (const { promise, cases } of promises) {
      describe(promise, () => {
        test.each(Object.entries(cases))('%s', async (_, holds) => {
          expect.hasAssertions();
          await holds(stage.scene());
          held.set(promise, (held.get(promise) ?? 0) + 1);
        });
      });
    }
  });
}

afterAll(() => {
  const versions = engines.map((engine) => shown.get(engine)!.version);
  const rows = rowsOf(({ promise, cases }, engine) => {
    const held = shown.get(engine)!.held.get(promise) ?? 0;
    return engine.missing ? 'not here' : `${held}/${Object.keys(cases).length}`;
  });
  console.log(table(['promise', ...versions], rows));
});
