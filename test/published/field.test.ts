// Fresh projects with the tools of users: installed by npm from the registry, built by their own tool, and run in
// Chromium or in their own test runner. They take minutes, so they run in `npm run test:full` only.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack, type Packed } from '../../packages/browser/test/packed.ts';
import { startSinkServer, type SinkServer } from '../browsers/sink.ts';
import { hasChromium, launchChromium } from '../test-utils/chromium.mjs';
import { expectOneReportEach, openFieldPage } from './field-page.ts';
import { installProject, serveFolder, type FieldProject } from './field-project.ts';
import { isFull } from '../test-utils/depth.ts';
import { freePort } from '../test-utils/free-port.ts';
import { packPackage } from './pack-package.ts';

const uncaughtButtons = ['throw', 'reject', 'capture'];

/** The field of the metadata in which a framework names the failed component, and its text. */
type ComponentField = [name: string, text: RegExp];

/** A built page: project, page, its folder, its buttons, and the component that the report of the last button names. */
type BuiltPage = [project: string, file: string, folder: string, buttons: string[], component?: ComponentField];
const pages: BuiltPage[] = [
  ['vite-react', '', 'dist', [...uncaughtButtons, 'effect', 'render'], ['componentStack', /^\s+at \S/]],
  ['vite-vue', '', 'dist', [...uncaughtButtons, 'effect', 'render'], ['componentName', /^Basket$/]],
  ['vite-svelte', '', 'dist', [...uncaughtButtons, 'effect', 'render']],
  ['webpack', 'esm.html', 'www', uncaughtButtons],
  ['webpack', 'cjs.html', 'www', uncaughtButtons],
  ['esbuild', '', 'www', uncaughtButtons],
  ['angular', '', 'www', [...uncaughtButtons, 'timer', 'render']],
  ['angular', 'zoneless.html', 'www', [...uncaughtButtons, 'timer', 'render']],
  ['vite-solid', '', 'dist', [...uncaughtButtons, 'effect', 'render']],
  ['routers', 'react-router.html', 'dist', [...uncaughtButtons, 'render']],
  ['routers', 'react-router.html', 'dist', ['load']],
  ['routers', 'tanstack-router.html', 'dist', [...uncaughtButtons, 'render']],
  ['routers', 'tanstack-router.html', 'dist', ['load']],
];

describe.runIf(isFull)('a fresh project with the SDK from its tarball', { timeout: 600_000 }, () => {
  let packed: Packed;
  let sinks: SinkServer;
  let browser: Browser;
  let root: string;
  /** The tarballs of the mocks and of the server that they need, by their names in a project. */
  let mocks: Record<string, string>;
  const installed = new Map<string, Promise<FieldProject>>();

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'service-field-'));
    [packed, sinks] = await Promise.all([pack(), startSinkServer()]);
    mocks = { 'mocks.tgz': await packPackage('mocks', root), 'server.tgz': await packPackage('server', root) };
    if (hasChromium) browser = await launchChromium();
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), sinks?.close(), packed?.remove()]);
    for (const project of installed.values()) await (await project).remove();
    await rm(root, { recursive: true, force: true });
  });

  /** Several tests use one installation. */
  function install(name: string): Promise<FieldProject> {
    const project = installed.get(name) ?? installProject(name, packed.tarball);
    installed.set(name, project);
    return project;
  }

  describe.skipIf(!hasChromium)('in Chromium', () => {
    test.each(pages)(
      '%s %s, built: one report an error, no warning',
      async (name, file, folder, buttons, component) => {
        const project = await install(name);
        expect(await project.script('build')).not.toMatch(/service\/browser.*(?:warn|error)|use client/i);
        const site = await serveFolder(join(project.folder, folder));
        const sink = sinks.open();
        const output = await openFieldPage(browser, `${site.url}/${file}`, sink);
        const reports = await expectOneReportEach(output, sink, buttons);
        const [field = '', text = /^$/] = component ?? [];
        expect(String(reports.at(-1)?.metadata?.[field] ?? '')).toMatch(text);
        await output.page.close();
        await site.stop();
      },
    );

    test('vite-react, served for development: one report an error, and only the development build', async () => {
      const project = await install('vite-react');
      const site = await project.serve('dev');
      const sink = sinks.open();
      const output = await openFieldPage(browser, `${site.url}/`, sink);
      const scripts: string[] = [];
      output.page.on('response', (response) => {
        if (response.url().includes('/node_modules/.vite/deps/')) scripts.push(response.url());
      });
      await output.page.reload();
      await output.page.waitForSelector('#throw');
      await expectOneReportEach(output, sink, [...uncaughtButtons, 'effect', 'render']);
      const texts = await Promise.all(scripts.map(async (url) => (await fetch(url)).text()));
      expect(texts.filter((text) => text.includes('function startDefaultClient('))).toHaveLength(1);
      expect(texts.filter((text) => text.includes('docs/troubleshooting.md'))).toHaveLength(1);
      await output.page.close();
      await site.stop();
    });
  });

  test('webpack, built for development: one copy of the development build, although modules mix import and require', async () => {
    const project = await install('webpack');
    await project.script('development');
    const code = await readFile(join(project.folder, 'www/cjs.js'), 'utf8');
    const modules = new Set(code.match(/node_modules\/@service\/browser\/dist\/[\w./-]+?\.c?js/g));
    expect(modules.size).toBeGreaterThan(1);
    expect([...modules].filter((module) => !/\/development\/[\w-]+\.js$/.test(module))).toEqual([]);
  });

  test.each(['vitest', 'jest', ...(hasChromium ? ['vitest-browser'] : [])])(
    'the tests of a project with %s pass',
    async (name) => {
      const project = await installProject(name, packed.tarball, mocks);
      installed.set(name, Promise.resolve(project));
      const output = await project.script('test');
      expect(output).not.toMatch(/unhandled|\[ServiceSDK\]/i);
    },
  );

  test.runIf(hasChromium)(
    'a story of Storybook reports to the real server, through the service worker of msw',
    async () => {
      const project = await installProject('storybook', packed.tarball, mocks);
      installed.set('storybook', Promise.resolve(project));
      const site = await project.serve('serve', ['--port', String(await freePort())]);
      const page = await browser.newPage();
      await page.goto(`${site.url}/iframe.html?id=pay--declined&viewMode=story`);
      // The story sets this attribute at the end of its play function.
      const played = page.locator('[data-played]');
      await played.waitFor({ timeout: 60_000 });
      expect(await played.count()).toBe(1);
      await page.close();
      await site.stop();
    },
  );

  test.each(['node', 'deno', 'bun', 'edge'])('%s imports the SDK, and init() does nothing', async (runtime) => {
    const project = await install('runtimes');
    if (runtime === 'edge') await project.script('build');
    const output = await project.script(runtime);
    const expected = { eventIds: [null, null], isFlushed: true, isUnchanged: true, isClosed: true };
    expect(output.trim()).toBe(JSON.stringify(expected));
  });
});
