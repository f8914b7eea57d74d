import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Cookie, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from '../test-utils/chromium.mjs';
import { adminToken, startServer, type ServerProcess } from '../server-process.ts';

export const owner = { email: 'admin@localhost', password: 'correct horse battery' };

/** What a test does with a server, through its API. */
export interface Scene {
  readonly url: string;
  /** What went wrong in any tab so far: errors in the console, errors that were thrown, and what the policy has stopped. */
  readonly problems: string[];
  api<Answer = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Answer>;
  project(name: string): Promise<{ id: number; api_key: string }>;
  /** Posts a report; resolves with the id of its group, or with what refused it. */
  report(key: string, fields?: object): Promise<{ status: number; error_group_id: number }>;
  uploadMap(projectId: number, file: string, map: object, release: string): Promise<void>;
  /** A tab at a path, in a browser of its own unless one is given. */
  open(path?: string, context?: BrowserContext): Promise<Page>;
  /** A browser that nobody has used before. */
  context(options?: ContextOptions): Promise<BrowserContext>;
  /** Closes every tab, and what it may still have under way. */
  closeTabs(): Promise<void>;
  /** Ends the server at once, and starts it again on the same port and storage. */
  restart(whileDown?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

interface ContextOptions extends BrowserContextOptions {
  /** Who is signed in: the owner, unless somebody else or nobody is. */
  as?: typeof owner | null;
  /** What may stand in the console as an error, since the test makes it happen: browsers note every answer that says no. */
  wanted?: RegExp;
}

/** One scene for the tests of a group. Whatever goes wrong in any tab fails the test that it happens in. */
export function useScene(settings?: Record<string, string>): Scene {
  const scene = {} as Scene;
  beforeAll(async () => void Object.assign(scene, await openScene(settings)));
  afterEach(async () => {
    await scene.closeTabs();
    expect(scene.problems.splice(0)).toEqual([]);
  });
  afterAll(() => scene.close?.());
  return scene;
}

/** The built server as a process, on a folder of its own, and a browser. */
async function openScene(settings: Record<string, string> = {}): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'service-dashboard-'));
  const storage = `file:${folder}`;
  const browser = await launchChromium();
  let server: ServerProcess = await startServer(storage, [], settings);
  const { url } = server;
  const problems: string[] = [];
  /** Of sessions that may be used again: to look at a password takes a while, and is meant to. */
  const cookies = new Map<string, Cookie[]>();

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

  async function signIn(context: BrowserContext, as: typeof owner): Promise<void> {
    const known = cookies.get(JSON.stringify(as));
    if (known) {
      await context.addCookies(known);
      if ((await context.request.get(`${url}/api/v1/auth/me`)).ok()) return;
    }
    const signedIn = await context.request.post(`${url}/api/v1/auth/session`, { data: as, headers: { origin: url } });
    if (!signedIn.ok()) throw new Error(`Signing in: ${signedIn.status()}`);
    cookies.set(JSON.stringify(as), await context.cookies());
  }

  const scene: Scene = {
    url,
    problems,
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
    async open(path = '/', context) {
      const page = await (context ?? (await scene.context())).newPage();
      await page.goto(url + path);
      return page;
    },
    async context({ as = owner, wanted, ...options } = {}) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(10_000);
      await watch(context, (problem) => {
        if (!wanted?.test(problem)) problems.push(problem);
      });
      if (as) await signIn(context, as);
      return context;
    },
    async closeTabs() {
      await Promise.all(browser.contexts().map((context) => context.close()));
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

/** Tells what the console calls an error, what is thrown, and what the page's policy has stopped. */
async function watch(context: BrowserContext, tell: (problem: string) => void): Promise<void> {
  context.on('weberror', (thrown) => tell(thrown.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error') tell(message.text());
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
}
