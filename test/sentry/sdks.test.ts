// The SDKs and tools of Sentry, installed by npm from the registry and used unchanged: only DSN, URL and token are
// ours.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';
import type { GroupDetails, Page as PageOf, SourceMap } from '@service/protocol';
import { build } from 'esbuild';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveOnLoopback } from '../test-utils/serve-on-loopback.ts';
import { hasChromium, launchChromium } from '../test-utils/chromium.mjs';
import { startTestServer, type TestServer } from './test-server.ts';
import { isFull } from '../test-utils/depth.ts';

const run = promisify(execFile);
const field = fileURLToPath(new URL('field/', import.meta.url));
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

describe.runIf(isFull)('SDKs and tools of Sentry', { timeout: 600_000 }, () => {
  let folder: string;
  let server: TestServer;
  let site: { url: string; close(): Promise<void> };
  let browser: Browser;

  /** Runs a script of the project. Returns everything that it writes. */
  async function script(name: string, variables: Record<string, string>): Promise<string> {
    // Sentry's tools keep a database in the user's folders.
    const folders = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') };
    const env = { ...process.env, ...variables, ...folders, NODE_ENV: '', CI: '1' };
    const { stdout, stderr } = await run('npm', ['run', '--silent', name], { cwd: folder, env, maxBuffer: 1e8 });
    return stdout + stderr;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-sentry-'));
    await cp(field, folder, { recursive: true });
    await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, maxBuffer: 1e8 });
    server = await startTestServer();
    // Another origin, with a tunnel of the app.
    site = await serveOnLoopback(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site.invalid');
      if (pathname === '/tunnel') {
        const body = await buffer(request);
        const { status } = await fetch(`${server.url}/api/${searchParams.get('project')}/envelope/`, {
          method: 'POST',
          body,
        });
        return void response.writeHead(status).end();
      }
      const file = join(folder, 'dist', pathname === '/' ? 'index.html' : pathname);
      const content = await readFile(file).catch(() => null);
      response.writeHead(content ? 200 : 404, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(content);
    });
    if (hasChromium) browser = await launchChromium();
  }, 600_000);

  afterAll(async () => {
    await Promise.all([browser?.close(), site?.close(), server?.close()]);
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function openPage(path: string): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(site.url + path);
    await page.waitForSelector('#throw');
    return page;
  }

  const flush = (page: Page): Promise<unknown> =>
    page.evaluate('Sentry.flush ? Sentry.flush(60_000) : Sentry.getClient().flush(60_000)');

  function byMessage(groups: readonly GroupDetails[], pattern: RegExp): GroupDetails | undefined {
    return groups.find(({ message }) => pattern.test(message));
  }

  test('the Vite plugin uploads the maps of a build', async () => {
    const output = await script('build', server.toolVariables);
    // A failed upload does not fail the build.
    expect(output).not.toMatch(/Error:/);
    const { items } = await server.call<PageOf<SourceMap>>('GET', 'projects/1/source-maps');
    expect(items.length).toBeGreaterThanOrEqual(2);
    for (const { debug_id, release } of items) expect([debug_id, release]).toEqual([expect.any(String), 'shop@1.0.0']);
  });

  describe.skipIf(!hasChromium)('in Chromium, from another origin', () => {
    test('@sentry/react: one bug is one group with its TypeScript line, however it was caught', async () => {
      const page = await openPage(`?dsn=${encodeURIComponent(server.dsn)}`);
      for (const id of ['throw', 'capture', 'render', 'one', 'other']) await page.click(`#${id}`);
      await flush(page);
      // On a busy machine names of functions are read later.
      await expect
        .poll(async () => byMessage(await server.groups(3), /Cannot read/)?.culprit, { timeout: 60_000 })
        .toBe('total (src/cart.ts)');
      const groups = await server.groups(3);
      expect(groups.map(({ message }) => message).toSorted()).toEqual([
        expect.stringContaining('Cannot read properties of undefined'),
        'one text',
        'other text',
      ]);
      const bug = byMessage(groups, /Cannot read/)!;
      // The SDK does not send an error twice in a row.
      expect(bug.count).toBeGreaterThanOrEqual(2);
      expect(bug.latest_report?.frames[0]).toMatchObject({
        file: expect.stringMatching(/src\/cart\.ts$/),
        line: 7,
        resolved: true,
      });
      const reports = await server.call<PageOf<{ id: number }>>('GET', `errors/${bug.error_group_id}/reports`);
      const details = await Promise.all(
        reports.items.map(({ id }) =>
          server.call<{ metadata: Record<string, unknown> }>('GET', `errors/${bug.error_group_id}/reports/${id}`),
        ),
      );
      expect(details.some(({ metadata }) => String(metadata.componentStack).includes('at '))).toBe(true);
      const dropped = await server.call<{ sent: Record<string, number> }>('GET', 'projects/1/dropped-items');
      expect(dropped.sent).not.toHaveProperty('unknown');
      await page.close();
    });

    test('@sentry/react through a tunnel', async () => {
      const { id, dsn } = await server.addProject('Tunnel');
      const tunnel = encodeURIComponent(`/tunnel?project=${id}`);
      const page = await openPage(`?dsn=${encodeURIComponent(dsn)}&tunnel=${tunnel}`);
      await page.click('#throw');
      await flush(page);
      const [group] = await server.groups(1, id);
      expect(group).toMatchObject({ type: 'TypeError', count: 1 });
      await page.close();
    });

    test('@sentry/browser 7', async () => {
      const { id, dsn } = await server.addProject('Seven');
      const page = await openPage(`seven.html?dsn=${encodeURIComponent(dsn)}`);
      await page.click('#throw');
      await page.click('#string');
      await flush(page);
      const groups = await server.groups(2, id);
      expect(groups.map(({ type, count }) => [type, count])).toEqual(
        expect.arrayContaining([
          ['TypeError', 1],
          [null, 1],
        ]),
      );
      expect(byMessage(groups, /Cannot read/)?.culprit).toContain('.js');
      await page.close();
    });

    test('after a 429, errors are dropped for some minutes, and later ones are sent again', async () => {
      const limited = await startTestServer(3);
      const page = await openPage(`?dsn=${encodeURIComponent(limited.dsn)}`);
      const capture = async (text: string): Promise<number | null> => {
        let response: Promise<Response | null> = Promise.resolve(null);
        page.on('request', (request) => {
          if (request.url().includes('/envelope/') && request.postData()?.includes(text)) response = request.response();
        });
        await page.evaluate(`Sentry.captureMessage(${JSON.stringify(text)})`);
        await flush(page);
        return (await response)?.status() ?? null;
      };
      for (const text of ['first', 'second', 'third']) expect(await capture(text)).toBe(200);
      expect(await capture('fourth')).toBe(429);
      expect(await capture('fifth')).toBeNull();
      // Five minutes later, by the clock of the page.
      await page.evaluate('{ const now = Date.now; Date.now = () => now() + 301_000; }');
      expect(await capture('sixth')).toBe(429);
      await page.close();
      await limited.close();
    });
  });

  test('@sentry/node with Express: the error once, with source lines and without secrets', async () => {
    const { id, dsn } = await server.addProject('API');
    expect((await script('express', { DSN: dsn })).trim()).toBe('500');
    const [group, ...others] = await server.groups(1, id);
    expect(others).toEqual([]);
    expect(group).toMatchObject({ type: 'TypeError', count: 1, culprit: expect.stringContaining('total (') });
    const report = group?.latest_report;
    const frame = report?.frames[0];
    expect(frame?.sent_context?.find(({ line }) => line === frame.line)?.text).toContain('cart.items.length');
    expect(JSON.stringify(report)).not.toMatch(/sid=secret|token=abc/);
    const dropped = await server.call<{ sent: Record<string, number> }>('GET', `projects/${id}/dropped-items`);
    expect(Object.keys(dropped.sent)).not.toContain('unknown');
  });

  test.each(['3', '2'])(
    'sentry-cli %s injects and uploads, and an error shows its TypeScript line',
    async (version) => {
      const { id, dsn } = await server.addProject(`CLI ${version}`);
      const dist = join(folder, `cli-${version}`);
      await mkdir(dist);
      await build({
        stdin: { contents: `import { checkout } from './src/cart'; checkout({});`, resolveDir: folder, loader: 'ts' },
        outfile: join(dist, 'app.js'),
        bundle: true,
        minify: true,
        sourcemap: true,
        format: 'iife',
      });
      const variables = { ...server.toolVariables, SENTRY_PROJECT: String(id) };
      await script(`inject-${version}`, variables);
      expect(await script(`upload-${version}`, variables)).toMatch(/File processing complete/);
      const { items } = await server.call<PageOf<SourceMap>>('GET', `projects/${id}/source-maps`);
      expect(items).toMatchObject([{ file: 'app.js', release: `cli@${version}`, debug_id: expect.any(String) }]);
      const deployed = join(dist, 'error.mjs');
      const code = await readFile(join(dist, 'app.js'), 'utf8');
      await writeFile(deployed, `${errorReader}\nglobalThis.code = ${JSON.stringify(code)};\nreport();`);
      const { stdout } = await run(process.execPath, [deployed]);
      const frames = JSON.parse(stdout) as object[];
      const event = {
        platform: 'javascript',
        exception: { values: [{ type: 'TypeError', value: 'no items', stacktrace: { frames } }] },
        debug_meta: {
          images: [{ type: 'sourcemap', code_file: 'https://a.example/app.js', debug_id: items[0]?.debug_id }],
        },
      };
      const { username: key } = new URL(dsn);
      const envelope = `{}\n{"type":"event"}\n${JSON.stringify(event)}`;
      const { status } = await fetch(`${server.url}/api/${id}/envelope/?sentry_key=${key}`, {
        method: 'POST',
        body: envelope,
      });
      expect(status).toBe(200);
      const [group] = await server.groups(1, id);
      expect(group?.culprit).toBe('total (src/cart.ts)');
      expect(await readdir(dist)).toContain('app.js.map');
    },
  );
});

/** Runs a script as a page would, and prints the frames of its error, as Sentry's SDK reads them. */
const errorReader = `
import { runInThisContext } from 'node:vm';
function report() {
  try {
    runInThisContext(globalThis.code, { filename: 'https://a.example/app.js' });
  } catch (error) {
    const frames = [...error.stack.matchAll(/at (?:(.+) \\()?(https:.+):(\\d+):(\\d+)/g)].map(
      ([, name = '?', filename, line, column]) =>
        ({ function: name, filename, lineno: Number(line), colno: Number(column), in_app: true }));
    console.log(JSON.stringify(frames.toReversed?.() ?? frames.reverse()));
  }
}
`;
