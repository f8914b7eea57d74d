// Frameworks with the bundler plugin or the command line from their tarballs, in Chromium. In `npm run test:full` only.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pack, type Packed } from '../../packages/browser/test/packed.ts';
import { adminToken, startServer, type ServerProcess } from '../test-utils/server-process.ts';
import { hasChromium, launchChromium } from '../test-utils/chromium.mjs';
import { installProject, type FieldProject } from './field-project.ts';
import { isFull } from '../test-utils/depth.ts';
import { packPackage } from './pack-package.ts';

const nodeVersion = Number(process.versions.node.split('.')[0]);

interface Framework {
  project: string;
  tool: 'cli' | 'bundler-plugin';
  /** The file of the error. */
  file: string;
  /** The folder of the scripts that visitors get. */
  scripts: string;
  release: string;
  /** A script of the server, whose map is uploaded as well. */
  serverScript?: RegExp;
  minNode: number;
}

const frameworks: Framework[] = [
  {
    project: 'next-maps',
    tool: 'cli',
    file: 'app/cart.js',
    scripts: '.next/static',
    release: 'next-1',
    minNode: 22,
  },
  {
    project: 'sveltekit-maps',
    tool: 'bundler-plugin',
    file: 'src/cart.ts',
    scripts: 'build',
    release: 'kit-1',
    serverScript: /entries\/pages\/_page\.svelte\.js$/,
    minNode: 22,
  },
  {
    project: 'nuxt-maps',
    tool: 'bundler-plugin',
    file: 'app/cart.ts',
    scripts: '.output/public',
    release: 'nuxt-1',
    serverScript: /\/server\.mjs$/,
    minNode: 22,
  },
  {
    project: 'astro-maps',
    tool: 'bundler-plugin',
    file: 'src/cart.ts',
    scripts: 'dist',
    release: 'astro-1',
    serverScript: /\/chunks\/index_[^/]+\.mjs$/,
    minNode: 22,
  },
  {
    project: 'react-router-maps',
    tool: 'bundler-plugin',
    file: 'app/cart.ts',
    scripts: 'build',
    release: 'router-1',
    serverScript: /~\/index\.js$/,
    minNode: 22,
  },
  {
    project: 'solidstart-maps',
    tool: 'bundler-plugin',
    file: 'src/cart.ts',
    scripts: 'dist',
    release: 'solid-1',
    serverScript: /\/entry-server\.js$/,
    minNode: 24,
  },
];

interface MapList {
  total: number;
  items: { url: string; hash: string; debug_id: string | null }[];
}

interface GroupList {
  items: { error_group_id: number; message: string; last_release: string | null }[];
}

describe.runIf(isFull && hasChromium)('a framework', { timeout: 900_000 }, () => {
  let packed: Packed;
  let root: string;
  let server: ServerProcess;
  let browser: Browser;
  let key: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'service-maps-'));
    packed = await pack();
    server = await startServer('memory:');
    key = String((await server.call('POST', 'projects', { name: 'Shop' })).body.api_key);
    browser = await launchChromium();
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await browser?.close();
    await server?.kill();
    await packed?.remove();
    if (root) await rm(root, { recursive: true, force: true });
  });

  /** The tarballs of our tools, by name. Each is packed once. */
  const tarballs = new Map<string, Promise<string>>();
  function tarballOf(tool: string): Promise<string> {
    const known = tarballs.get(tool) ?? packPackage(tool, root);
    tarballs.set(tool, known);
    return known;
  }

  async function install(name: string, tool: string): Promise<FieldProject> {
    vi.stubEnv('SERVICE_ENDPOINT', server.url);
    vi.stubEnv('SERVICE_TOKEN', adminToken);
    return installProject(name, packed.tarball, { [`${tool}.tgz`]: await tarballOf(tool) });
  }

  describe.each(frameworks)('$project', ({ project: name, tool, file, scripts, release, serverScript, minNode }) => {
    test.skipIf(nodeVersion < minNode)('shows the source line and the release, and uploads each map once', async () => {
      const project = await install(name, tool);
      const output = await project.script('build');
      expect(output).toMatch(/proven/);
      const files = await readdir(join(project.folder, scripts), { recursive: true });
      expect(files.filter((one) => one.endsWith('.js.map'))).toEqual([]);
      const maps = (await server.call('GET', `projects/1/source-maps?release=${release}&size=100`))
        .body as unknown as MapList;
      expect(maps.items).toHaveLength(maps.total);
      for (const field of ['url', 'hash', 'debug_id'] as const)
        expect(new Set(maps.items.map((map) => map[field])).size, field).toBe(maps.total);
      const ofServer = maps.items.filter(({ url }) => serverScript?.test(url));
      expect(ofServer).toHaveLength(serverScript ? 1 : 0);
      const site = await project.serve('start');
      const page = await browser.newPage();
      await page.goto(`${site.url}/?key=${key}&endpoint=${encodeURIComponent(server.url)}`, {
        waitUntil: 'networkidle',
      });
      await page.click('#pay');
      const find = async (): Promise<GroupList['items'][number] | undefined> => {
        const { items } = (await server.call('GET', `errors?release=${release}`)).body as unknown as GroupList;
        return items.find(({ message }) => message === 'The cart has 0 items');
      };
      await expect.poll(find, { timeout: 60_000 }).toBeDefined();
      const { body } = await server.call('GET', `errors/${(await find())?.error_group_id}`);
      const { frames } = body.latest_report as { frames: { function: string; file: string; line: number }[] };
      const lines = (await readFile(join(project.folder, file), 'utf8')).split('\n');
      const line = lines.findIndex((text) => text.includes('throw new Error')) + 1;
      expect(frames[0]).toMatchObject({ function: 'checkout', line });
      expect(frames[0]?.file).toMatch(new RegExp(`(?:^|/)${file.replace('.', String.raw`\.`)}$`));
      await page.close();
      await site.stop();
      await project.remove();
    });
  });
});
