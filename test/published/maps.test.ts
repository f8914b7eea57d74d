// Frameworks with the bundler plugin or the command line from their tarballs, in Chromium. In `npm run test:full` only.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack, type Packed } from '../../packages/browser/test/packed.ts';
import { adminToken, startServer, type ServerProcess } from '../server-process.ts';
import { hasChromium, launchChromium } from '../test-utils/chromium.mjs';
import { installProject, type FieldProject } from './field-project.ts';
import { isFull } from '../test-utils/depth.ts';
import { packPackage } from './pack-package.ts';

/** The frameworks need Node.js 22. */
const hasNode22 = Number(process.versions.node.split('.')[0]) >= 22;

/** Project, tool, file of the error, folder of the scripts, and release. */
const frameworks = [
  ['next-maps', 'cli', 'app/cart.js', '.next/static', 'next-1'],
  ['sveltekit-maps', 'bundler-plugin', 'src/cart.ts', 'build', 'kit-1'],
] as const;

interface GroupList {
  items: { error_group_id: number; message: string; last_release: string | null }[];
}

describe.runIf(isFull && hasChromium && hasNode22)('a framework', { timeout: 900_000 }, () => {
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
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.kill();
    await packed?.remove();
    if (root) await rm(root, { recursive: true, force: true });
  });

  async function install(name: string, tool: string): Promise<FieldProject> {
    process.env.SERVICE_ENDPOINT = server.url;
    process.env.SERVICE_TOKEN = adminToken;
    return installProject(name, packed.tarball, { [`${tool}.tgz`]: await packPackage(tool, root) });
  }

  test.each(frameworks)(
    '%s: an error shows its source line and the release',
    async (name, tool, file, scripts, release) => {
      const project = await install(name, tool);
      const output = await project.script('build');
      expect(output).toMatch(/proven/);
      const files = await readdir(join(project.folder, scripts), { recursive: true });
      expect(files.filter((one) => one.endsWith('.js.map'))).toEqual([]);
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
      expect(frames[0]?.file.endsWith(file)).toBe(true);
      await page.close();
      await site.stop();
      await project.remove();
    },
  );
});
