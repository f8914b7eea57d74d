import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Cookie, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from '../test-utils/chromium.mjs';
import { freePort } from '../test-utils/free-port.ts';
import { adminToken, startServer, type ServerProcess } from '../test-utils/server-process.ts';

export const owner = { email: 'admin@localhost', password: 'correct horse battery' };

/** A server, its dashboard in a browser, and the operations of the tests. */
export interface DashboardContext {
  readonly url: string;
  /** Problems in all tabs: errors in the console, uncaught errors, violations of the content security policy. */
  readonly problems: string[];
  api<Body = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Body>;
  createProject(name: string): Promise<{ id: number; api_key: string }>;
  /** Posts a report. Resolves with the id of its group, which is 0 if the server rejects it, and the status. */
  report(key: string, fields?: object): Promise<{ status: number; error_group_id: number }>;
  uploadMap(projectId: number, file: string, map: object, release: string): Promise<void>;
  /** Opens a tab, in a new browser unless one is given. */
  open(path?: string, context?: BrowserContext): Promise<Page>;
  /** Opens a browser without cookies and storage, and signs in unless `as` is null. */
  newBrowser(options?: BrowserOptions): Promise<BrowserContext>;
  /** Closes every tab together with its requests in flight. */
  closeTabs(): Promise<void>;
  /** Kills the server, and starts it again on the same port and storage. */
  restart(whileDown?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

interface BrowserOptions extends BrowserContextOptions {
  /** The signed-in user, by default the owner. Null: no user is signed in. */
  as?: typeof owner | null;
  /** Errors that the test causes on purpose: browsers log every response with an error status. */
  expectedErrors?: RegExp;
}

/**
 * Starts a context for the tests of a group. A problem in any tab fails the current test unless it is expected.
 * `parent` is the folder for the storage, by default that for temporary files.
 */
export function useDashboard(settings?: Record<string, string>, parent?: string): DashboardContext {
  const dashboard = {} as DashboardContext;
  beforeAll(async () => void Object.assign(dashboard, await startContext(settings, parent)));
  afterEach(async () => {
    await dashboard.closeTabs();
    expect(dashboard.problems.splice(0)).toEqual([]);
  });
  afterAll(() => dashboard.close?.());
  return dashboard;
}

/** Starts the built server as a process, with a temporary storage folder, and a browser. */
async function startContext(settings: Record<string, string> = {}, parent = tmpdir()): Promise<DashboardContext> {
  const folder = await mkdtemp(join(parent, 'service-dashboard-'));
  const storage = `file:${folder}`;
  const browser = await launchChromium();
  const ownSettings = { SERVICE_PORT: String(await freePort()), ...settings };
  let server: ServerProcess = await startServer(storage, [], ownSettings);
  const { url } = server;
  const problems: string[] = [];
  /** Cookies of open sessions, by user. They are reused, because checking a password is slow on purpose. */
  const cookies = new Map<string, Cookie[]>();

  async function api<Body>(method: string, path: string, body?: object): Promise<Body> {
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
    return (response.status === 204 ? {} : await response.json()) as Body;
  }

  async function signIn(context: BrowserContext, as: typeof owner): Promise<void> {
    const known = cookies.get(JSON.stringify(as));
    if (known) {
      await context.addCookies(known);
      if ((await context.request.get(`${url}/api/v1/auth/me`)).ok()) return;
    }
    const signedIn = await context.request.post(`${url}/api/v1/auth/session`, { data: as, headers: { origin: url } });
    if (!signedIn.ok()) throw new Error(`The sign-in got status ${signedIn.status()}.`);
    cookies.set(JSON.stringify(as), await context.cookies());
  }

  const dashboard: DashboardContext = {
    url,
    problems,
    api,
    createProject: (name) => api('POST', '/projects', { name }),
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
      const page = await (context ?? (await dashboard.newBrowser())).newPage();
      await page.goto(url + path);
      return page;
    },
    async newBrowser({ as = owner, expectedErrors, ...options } = {}) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(60_000);
      await watch(context, (problem) => {
        if (!expectedErrors?.test(problem)) problems.push(problem);
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
      server = await startServer(storage, [], ownSettings);
    },
    async close() {
      await browser.close();
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return dashboard;
}

/** Reports errors in the console, uncaught errors, and violations of the content security policy. */
async function watch(context: BrowserContext, onProblem: (problem: string) => void): Promise<void> {
  context.on('weberror', (thrown) => onProblem(thrown.error().message));
  context.on('console', (message) => {
    if (message.type() === 'error') onProblem(message.text());
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
}
