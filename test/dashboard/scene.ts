import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../e2e/chromium.ts';
import { adminToken, startServer, type ServerProcess } from '../server-process.ts';

export const owner = { email: 'admin@localhost', password: 'correct horse battery' };

/** What a test does with a server, through its API. */
export interface Scene {
  readonly url: string;
  readonly browser: Browser;
  api<Answer = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Answer>;
  project(name: string): Promise<{ id: number; api_key: string }>;
  /** Posts a report; resolves with the id of its group, or with what refused it. */
  report(key: string, fields?: object): Promise<{ status: number; error_group_id: number }>;
  uploadMap(projectId: number, file: string, map: object, release: string): Promise<void>;
  /** A tab with a profile of its own, signed in as the owner, at a path. */
  open(path?: string, context?: BrowserContext): Promise<Tab>;
  context(options?: Parameters<Browser['newContext']>[0]): Promise<BrowserContext>;
  /** Ends the server at once, and starts it again on the same port and storage. */
  restart(whileDown?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** A tab, and all that went wrong in it. */
export interface Tab {
  page: Page;
  problems: string[];
}

/** The built server as a process, on a folder of its own, and a browser. */
export async function openScene(settings: Record<string, string> = {}): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'service-dashboard-'));
  const storage = `file:${folder}`;
  const browser = await launchChromium();
  let server: ServerProcess = await startServer(storage, [], settings);
  const { url } = server;

  async function api<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? {} : await response.json()) as Answer;
  }

  const scene: Scene = {
    url,
    browser,
    api,
    project: (name) => api('POST', '/projects', { name }),
    async report(key, fields = {}) {
      const response = await fetch(`${url}/api/v1/errors`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ project_api_key: key, message: 'It broke', ...fields }),
      });
      const body = (await response.json()) as { error_group_id?: number };
      return { status: response.status, error_group_id: body.error_group_id ?? 0 };
    },
    async uploadMap(projectId, file, map, release) {
      const form = new FormData();
      form.set('release', release);
      form.set('file', new Blob([JSON.stringify(map)]), `${file}.map`);
      await api('POST', `/projects/${projectId}/source-maps`, form);
    },
    async open(path = '/', given) {
      const context = given ?? (await scene.context());
      const tab = await watch(await context.newPage());
      await tab.page.goto(url + path);
      return tab;
    },
    async context(options = {}) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(10_000);
      const signedIn = await context.request.post(`${url}/api/v1/auth/session`, {
        data: owner,
        headers: { origin: url },
      });
      if (!signedIn.ok()) throw new Error(`Signing in: ${signedIn.status()}`);
      return context;
    },
    async restart(whileDown) {
      await server.kill();
      await whileDown?.();
      server = await startServer(storage, [], { SERVICE_PORT: new URL(url).port, ...settings });
    },
    async close() {
      await browser.close();
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return scene;
}

/** Collects what the console calls an error, what is thrown, and what the page's policy has stopped. */
export async function watch(page: Page): Promise<Tab> {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // An answer that says no is one, too: those that a test wants it takes out itself.
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  return { page, problems };
}

/** The source of axe, once. */
export const axeSource = (): Promise<string> =>
  readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
