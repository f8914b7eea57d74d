// docs/start.md, word for word: its blocks of code are taken from the page and run in Chromium.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { blocks } from '../code-blocks/blocks.ts';
import { serveOnLoopback } from '../test-utils/serve-on-loopback.ts';
import { hasChromium, launchChromium, newPage } from '../test-utils/chromium.mjs';
import { killDemos, startDemo, type DemoProcess } from './demo-process.ts';

const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};
const [start, install, ...code] = blocks
  .filter(({ page }) => page === 'docs/start.md')
  .map((block) => block.code.trim());

describe.skipIf(!hasChromium)('the quick start', () => {
  let folder: string;
  let demo: DemoProcess;
  let browser: Browser;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-quick-start-'));
    demo = await startDemo('memory:', { SERVICE_ADMIN_TOKEN: 'token-of-the-quick-start' });
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await killDemos();
    await rm(folder, { recursive: true, force: true });
  });

  /** The page has the default address and a placeholder for the key, which the reader replaces. */
  const filledIn = (text = ''): string =>
    text.replace('http://127.0.0.1:4400', demo.dashboard).replace('pk_…', demo.projectKey);

  test('its first command is the demo', () => {
    expect(start).toBe('npm start');
    expect(scripts.start).toContain('examples/demo/src/setup-and-start.mjs');
  });

  test('an app that follows it shows its first error', async () => {
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const [program = '', ...args] = filledIn(install).split(' ');
    await promisify(execFile)(program, [...args, '--no-audit', '--no-fund', '--omit=optional'], { cwd: folder });
    await writeFile(join(folder, 'main.js'), code.map(filledIn).join('\n'));
    const { outputFiles } = await build({ entryPoints: [join(folder, 'main.js')], bundle: true, write: false });
    const app = await serveOnLoopback((request, response) => {
      const isScript = request.url === '/main.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? outputFiles[0]?.text : '<!doctype html><script src="/main.js"></script>');
    });
    try {
      const page = await newPage(browser);
      const dashboard = await newPage(browser);
      await dashboard.goto(demo.signIn);
      await dashboard.getByRole('heading').first().waitFor();
      await page.goto(app.url);
      // Without a reload, as the page says.
      await dashboard.getByText('My first error').first().waitFor({ timeout: 60_000 });
      const groups = await vi.waitFor(async () => {
        const headers = { authorization: 'Bearer token-of-the-quick-start' };
        const response = await fetch(`${demo.dashboard}/api/v1/errors`, { headers });
        return (await response.json()) as { items: { message: string }[] };
      });
      expect(groups.items.map(({ message }) => message)).toEqual(['My first error']);
    } finally {
      await app.close();
    }
  });
});
