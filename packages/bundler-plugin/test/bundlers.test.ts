import { readFile, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { GroupDetails, Page, ErrorGroup, ListedSourceMap } from '@service/protocol';
import { createService, type Service } from '@service/server';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { serveOnLoopback } from '../../../test/test-utils/serve-on-loopback.ts';
import { hasChromium, launchChromium } from '../../../test/test-utils/chromium.mjs';
import { buildApp, bundlers, readOutput, type BuiltApp } from './build-app.ts';
import { isFull, isThorough } from '../../../test/test-utils/depth.ts';

const token = 'test-admin-token-0123456789';
/** The name of the entry on the CDN. No map has it. */
const renamedEntry = 'renamed-7f3a.js';
let service: Service;
let endpoint: string;
let browser: Browser | null = null;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await createService({ storage: 'memory:', adminToken: token, port: 0, logLevel: 'silent' });
  ({ url: endpoint } = await service.listen());
  if (hasChromium) browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function api<Body>(path: string): Promise<Body> {
  const response = await fetch(`${endpoint}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
  return (await response.json()) as Body;
}

/** Serves an app below a path, and its entry under another name. */
async function serve(app: BuiltApp, apiKey: string): Promise<string> {
  const base = '/cdn/7f3a/';
  const shop = { apiKey, endpoint, ...(app.worker !== undefined && { worker: base + app.worker }) };
  const script = `<script ${app.isModule ? 'type="module"' : 'defer'} src="${base}${posix.join(posix.dirname(app.entry), renamedEntry)}"></script>`;
  const page = `<!doctype html><script>shop=${JSON.stringify(shop)}</script>${script}<button id="pay"></button><button id="gift"></button><button id="count"></button>`;
  const site = await serveOnLoopback(({ url = '/' }, response) => {
    if (url === '/') return void response.setHeader('Content-Type', 'text/html').end(page);
    const inCdn = url.startsWith(base) ? url.slice(base.length) : url.slice(1);
    const name = inCdn.endsWith(renamedEntry) ? app.entry : inCdn;
    readFile(join(app.folder, name)).then(
      (bytes) => response.setHeader('Content-Type', 'text/javascript').end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  cleanups.push(site.close);
  return site.url;
}

async function createApp(
  bundler: string,
  options = {},
): Promise<{ app: BuiltApp & { root: string }; project: { id: number; apiKey: string } }> {
  const project = await service.createProject({ name: `${bundler} ${Math.random()}` });
  const app = await buildApp(bundler, {
    endpoint,
    token,
    project: String(project.id),
    release: `${bundler}-1.2.3`,
    strict: true,
    ...options,
  });
  cleanups.push(() => rm(app.root, { recursive: true }));
  return { app, project };
}

/** Returns the group whose message contains a text, once it exists. */
async function groupOf(projectId: number, message: string): Promise<GroupDetails> {
  const find = async (): Promise<ErrorGroup | undefined> =>
    (await api<Page<ErrorGroup>>(`/errors?project_id=${projectId}`)).items.find((group) =>
      group.message.includes(message),
    );
  await expect.poll(find).toBeDefined();
  return api(`/errors/${(await find())?.error_group_id}`);
}

const lineOf = async (file: string, code: string): Promise<number> => {
  const lines = (await readFile(new URL(`app/${file}`, import.meta.url), 'utf8')).split('\n');
  return lines.findIndex((line) => line.includes(code)) + 1;
};

/** A short run builds with the bundler of most projects, and with one that shares no code with it. */
const testedBundlers = isThorough ? Object.keys(bundlers) : ['vite', 'esbuild'];

describe.each(testedBundlers)('a build of %s', (bundler) => {
  test.skipIf(!hasChromium)(
    'reports errors with its TypeScript lines, function names and release, also under another name',
    async () => {
      const { app, project } = await createApp(bundler);
      const output = await readOutput(app);
      expect(Object.keys(output).filter((name) => name.endsWith('.map'))).toEqual([]);
      expect(Object.values(output).filter((text) => text.includes('sourceMappingURL'))).toEqual([]);
      const maps = await api<Page<ListedSourceMap>>(`/projects/${project.id}/source-maps?size=100`);
      const scripts = Object.keys(output).filter((name) => name.endsWith('.js'));
      expect(maps.items.map(({ file }) => file).toSorted()).toEqual(
        scripts.map((name) => name.split('/').at(-1)).toSorted(),
      );
      expect(maps.items.filter(({ debug_id: id }) => id === null)).toEqual([]);

      const page = await browser!.newPage();
      await page.goto(await serve(app, project.apiKey));
      const faults = [
        ['pay', 'The cart has 0 items', 'cart.ts', 'throw new Error', 'checkout'],
        ['gift', 'No gift wrap is left', 'gift.ts', 'throw new RangeError', 'wrap'],
        ['count', 'The counter is stuck', 'counter.ts', 'throw new TypeError', 'countItems'],
      ] as const;
      for (const [button, message, file, code, name] of faults) {
        await page.evaluate((id) => document.querySelector<HTMLButtonElement>(`#${id}`)?.click(), button);
        const { latest_report: report } = await groupOf(project.id, message);
        expect(report?.release).toBe(`${bundler}-1.2.3`);
        const [top] = report?.frames ?? [];
        expect(top).toMatchObject({ function: name, line: await lineOf(file, code), resolved: true });
        expect(top?.file).toMatch(new RegExp(`(?:^|/)${file}$`));
      }
      await page.close();
    },
  );

  // In a short run, one bundler is tested where all share the code.
  test.runIf(isFull || bundler === 'esbuild')(
    'writes no maps without a token, and still sets the release',
    async () => {
      const { app } = await createApp(bundler, { token: '', strict: true });
      const output = await readOutput(app);
      expect(Object.keys(output).filter((name) => name.endsWith('.map'))).toEqual([]);
      expect(output[app.entry]).toContain(`globalThis.__serviceRelease="${bundler}-1.2.3"`);
    },
  );

  test.runIf(isFull || bundler === 'vite')(
    'fails with strict if the upload fails, and else keeps the maps',
    async () => {
      const refused = { token: 'wrong-token' };
      await expect(createApp(bundler, refused)).rejects.toThrow('service sourcemaps upload');
      const { app } = await createApp(bundler, { ...refused, strict: false });
      expect(Object.keys(await readOutput(app)).filter((name) => name.endsWith('.map')).length).toBeGreaterThan(0);
    },
  );
});
