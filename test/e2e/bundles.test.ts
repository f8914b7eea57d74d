import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSite, type PageFiles, type Site } from '../browsers/site.ts';
import { adminToken, startServer, type ServerProcess } from '../test-utils/server-process.ts';
import { hasChromium, launchChromium } from '../test-utils/chromium.mjs';
import { openDemoPage } from './demo-page.ts';
import type { GroupDetails } from './owner-api.ts';

const app = fileURLToPath(new URL('bundled-app/', import.meta.url));
const release = '1.4.0';

/** The type of the script that a bundler makes. Only webpack makes classic scripts. */
const bundlers = [
  ['vite', '<script type="module" src="main.js"></script>'],
  ['rollup', '<script type="module" src="main.js"></script>'],
  ['webpack', '<script defer src="main.js"></script>'],
  ['esbuild', '<script type="module" src="main.js"></script>'],
] as const;

/** A location in the original source: file, a text that occurs on this line only, function. */
type SourceLocation = readonly [file: string, code: string, name: string];

/** The buttons, each with the app's own frames of its error, top first. */
const faults: [button: string, message: string, locations: SourceLocation[]][] = [
  [
    'total',
    'There is no price for figs',
    [
      ['src/basket.ts', 'if (price === undefined) throw', 'Basket.#priceOf'],
      ['src/basket.ts', 'this.lines.reduce', 'Basket.total.<anonymous>'],
      ['src/basket.ts', 'this.lines.reduce', 'Basket.total'],
      ['src/main.tsx', 'basket.total(', 'pay'],
    ],
  ],
  [
    'stock',
    'The warehouse does not answer',
    [
      ['src/stock.ts', "throw new Error('The warehouse does not", 'ask'],
      ['src/stock.ts', 'await ask(', 'reserve'],
    ],
  ],
  [
    'receipt',
    "Cannot read properties of undefined (reading 'city')",
    [['src/receipt.tsx', 'customer.address!.city', 'Receipt']],
  ],
  [
    'voucher',
    `Unexpected token 'S', "SAVE-lots" is not valid JSON`,
    [
      ['src/voucher.ts', 'JSON.parse(code)', 'redeem'],
      ['src/main.tsx', 'redeem(code)', 'onClick'],
    ],
  ],
];

describe.skipIf(!hasChromium)('a bundle in Chromium with uploaded source maps', () => {
  let browser: Browser;
  let server: ServerProcess;
  let site: Site;
  /** All builds start together, because they take the most time. Each test awaits its own build. */
  let builds: Record<string, Promise<PageFiles>>;

  beforeAll(async () => {
    builds = Object.fromEntries(bundlers.map(([bundler]) => [bundler, build(bundler)]));
    [browser, server, site] = await Promise.all([launchChromium(), startServer('memory:'), startSite()]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.kill(), site?.close()]);
  });

  test.for(bundlers)(
    'errors of a bundle made by %s have the names and locations of the source',
    async ([bundler, script]) => {
      const files = await builds[bundler]!;
      const { id, api_key } = (await server.call('POST', 'projects', { name: bundler })).body;
      for (const [name, text] of Object.entries(files))
        if (name.endsWith('.map')) await upload(server, Number(id), basename(name), text);

      const url = new URL(site.add({ ...files, 'index.html': `<!doctype html><div id="root"></div>${script}` }));
      url.search = String(new URLSearchParams({ key: String(api_key), server: server.url, release }));
      const { page, report, warnings } = await openDemoPage(browser, url.href);
      for (const [button, message, locations] of faults) {
        await report(button);
        const query = new URLSearchParams({ project_id: String(id), search: message });
        const { items } = (await server.call('GET', `errors?${query}`)).body as { items: { error_group_id: number }[] };
        const { error_group_id } = items[0]!;
        const { latest_report } = (await server.call('GET', `errors/${error_group_id}`))
          .body as unknown as GroupDetails;
        const own = latest_report.frames.filter(({ in_app }) => in_app);
        const shown = own.map(({ file, line, function: name }) => [withoutPrefix(file), line, name]);
        const expected = locations.map(async ([file, code, name]) => [file, await lineOf(file, code), name]);
        expect(latest_report.message).toBe(message);
        expect(shown, button).toEqual(await Promise.all(expected));
      }
      expect(warnings).toEqual([]);
      await page.close();
    },
  );
});

/** Returns the path of a source. Bundlers write it differently: `../../src/a.ts`, `webpack:///./src/a.ts`. */
function withoutPrefix(file: string | null): string | undefined {
  return file?.replace(/^(webpack:\/\/\/)?(\.{1,2}\/)*/, '');
}

/** Returns the number, from 1, of the only line of a source with this text. */
async function lineOf(file: string, code: string): Promise<number> {
  const lines = (await readFile(join(app, file), 'utf8')).split('\n');
  const found = lines.flatMap((line, index) => (line.includes(code) ? [index + 1] : []));
  expect(found, `lines of ${file} with ${code}`).toHaveLength(1);
  return found[0]!;
}

/** Returns all files of the bundle. */
async function build(bundler: string): Promise<PageFiles> {
  await promisify(execFile)(process.execPath, [join(app, 'build.mjs'), bundler]);
  const folder = join(app, 'dist', bundler);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = files.map(async (file) => [relative(folder, file), await readFile(file, 'utf8')]);
  return Object.fromEntries(await Promise.all(texts)) as PageFiles;
}

async function upload(server: ServerProcess, projectId: number, name: string, map: string): Promise<void> {
  const form = new FormData();
  form.append('release', release);
  form.append('file', new Blob([map]), name);
  const headers = { authorization: `Bearer ${adminToken}` };
  const url = `${server.url}/api/v1/projects/${projectId}/source-maps`;
  const { status } = await fetch(url, { method: 'POST', headers, body: form });
  expect(status).toBe(201);
}
