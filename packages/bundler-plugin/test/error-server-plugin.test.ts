import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ErrorGroup, Frame, GroupDetails, Page, Tokens } from '@service/protocol';
import type { Browser } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, launchChromium } from '../../../test/test-utils/chromium.mjs';
import { service } from '../src/vite.ts';

const packageFolder = fileURLToPath(new URL('../', import.meta.url));
const app = fileURLToPath(new URL('app/', import.meta.url));

/** A module outside the root, as in a workspace. Vite serves it from `/@fs/`. */
const shared = `interface Coupon {
  code: string;
}

export function redeem(coupon: Coupon): never {
  throw new Error(\`The coupon \${coupon.code} has expired\`);
}
`;

const html = `<!doctype html>
<script type="module" src="/settings.js"></script>
<script type="module" src="/main.ts"></script>
<script type="module" src="/coupon.ts"></script>
<button id="pay">Pay</button> <button id="count">Count</button> <button id="redeem">Redeem</button>`;

describe.skipIf(!hasChromium).each(['/', '/shop/'])('vite dev with dev: true and base %s', (base) => {
  let folder: string;
  let root: string;
  let browser: Browser;
  let server: ViteDevServer;
  let url: string;
  let api: { endpoint: string; accessToken: string } | null = null;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'error-server-'));
    root = join(folder, 'app');
    await cp(app, root, { recursive: true });
    const settings =
      'globalThis.shop = { apiKey: import.meta.env.VITE_SERVICE_API_KEY, endpoint: import.meta.env.VITE_SERVICE_ENDPOINT };';
    await writeFile(join(root, 'settings.js'), settings);
    await writeFile(join(root, 'index.html'), html);
    await writeFile(join(folder, 'shared.ts'), shared);
    const coupon = `interface Unused {}
import { redeem } from '../shared.ts';
document.querySelector('#redeem')?.addEventListener('click', () => redeem({ code: 'X1' }));
`;
    await writeFile(join(root, 'coupon.ts'), coupon);
    server = await createServer({
      root,
      base,
      configFile: false,
      logLevel: 'silent',
      server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
      resolve: { alias: { '@service/browser': fileURLToPath(import.meta.resolve('@service/browser')) } },
      plugins: [service({ dev: true })],
    });
    await server.listen();
    url = server.resolvedUrls?.local[0] ?? '';
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(folder, { recursive: true });
  });

  async function read<Result>(path: string): Promise<Result> {
    api ??= await signIn();
    const response = await fetch(`${api.endpoint}/api/v1${path}`, {
      headers: { Authorization: `Bearer ${api.accessToken}` },
    });
    return (await response.json()) as Result;
  }

  async function signIn(): Promise<{ endpoint: string; accessToken: string }> {
    const link = await fetch(`${new URL(url).origin}/__errors`, { redirect: 'manual' });
    expect(link.status).toBe(302);
    const [endpoint = '', token = ''] = (link.headers.get('Location') ?? '').split(/\/?#sign-in=/);
    const response = await fetch(`${endpoint}/api/v1/auth/links/use`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const { access_token: accessToken } = (await response.json()) as Tokens;
    return { endpoint, accessToken };
  }

  async function groupsOf(message: string): Promise<ErrorGroup[]> {
    const { items } = await read<Page<ErrorGroup>>('/errors');
    return items.filter((group) => group.message === message);
  }

  /** Waits for this number of reports of an error, and returns the frames of the latest. */
  async function framesOf(message: string, count = 1): Promise<Frame[]> {
    const countReports = async (): Promise<number> => (await groupsOf(message))[0]?.count ?? 0;
    await expect.poll(countReports).toBeGreaterThanOrEqual(count);
    const [group] = await groupsOf(message);
    const details = await read<GroupDetails>(`/errors/${group?.error_group_id}`);
    return details.latest_report?.frames ?? [];
  }

  function failingLine({ file, line, context }: Frame): unknown[] {
    return [file, line, context.find((one) => one.line === line)?.text];
  }

  test('shows the errors of the app at /__errors, with nothing to set up', async () => {
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByText('Pay').click();
    await expect
      .poll(() => groupsOf('The cart has 0 items'))
      .toMatchObject([{ culprit: expect.stringContaining('checkout') }]);
    // The dashboard opens, signed in.
    await page.goto(`${new URL(url).origin}/__errors`);
    await page.getByText('The cart has 0 items').first().waitFor();
    await page.close();
  });

  test('shows the lines of the source, not those of the transformed modules', async () => {
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByText('Redeem').click();
    const [thrown, caller] = await framesOf('The coupon X1 has expired');
    expect(failingLine(thrown!)).toEqual([
      '../shared.ts',
      6,
      '  throw new Error(`The coupon ${coupon.code} has expired`);',
    ]);
    expect(caller).toMatchObject({ file: 'coupon.ts', line: 3, in_app: true });
    await page.getByText('Count').click();
    const [inWorker] = await framesOf('The counter is stuck');
    expect(failingLine(inWorker!)).toEqual(['counter.ts', 10, "  throw new TypeError('The counter is stuck');"]);
    await page.close();
  });

  test('knows the lines of modules from the cache of the browser', async () => {
    const page = await browser.newPage();
    await page.goto(url);
    const statuses: number[] = [];
    page.on('response', (response) => response.url().endsWith('/shared.ts') && statuses.push(response.status()));
    await page.reload();
    await page.getByText('Redeem').click();
    const [thrown] = await framesOf('The coupon X1 has expired', 2);
    expect(thrown).toMatchObject({ file: '../shared.ts', line: 6 });
    expect(statuses).toEqual([304]);
    await page.close();
  });

  test('shows the lines of the version that the page runs', async () => {
    const cart = join(root, 'cart.ts');
    const text = await readFile(cart, 'utf8');
    const hot = `${text}\nif (import.meta.hot) import.meta.hot.accept();\nglobalThis.checkout = checkout;\n`;
    await writeFile(cart, hot.replaceAll('The cart', 'The bag'));
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForFunction('globalThis.checkout');
    // The page keeps the first version of the function, and gets the second one as another module.
    await page.evaluate('globalThis.first = globalThis.checkout');
    await writeFile(cart, `// A comment\n// and another one.\n${hot.replaceAll('The cart', 'The trolley')}`);
    await page.waitForFunction('globalThis.first !== globalThis.checkout');
    await page.evaluate('setTimeout(() => first({ items: [] })); setTimeout(() => checkout({ items: [] }))');
    const [first] = await framesOf('The bag has 0 items');
    expect(failingLine(first!)).toEqual(['cart.ts', 8, expect.stringContaining('The bag')]);
    const [second] = await framesOf('The trolley has 0 items');
    expect(failingLine(second!)).toEqual(['cart.ts', 10, expect.stringContaining('The trolley')]);
    await page.close();
  });

  test('stops its servers with the dev server', async () => {
    const { endpoint } = await signIn();
    const settings = await (await fetch(`${url}settings.js`)).text();
    const [, proxy = ''] = /"VITE_SERVICE_ENDPOINT": "([^"]+)"/.exec(settings) ?? [];
    for (const one of [endpoint, proxy]) expect((await fetch(`${one}/api/v1/errors`)).status).toBe(401);
    await server.close();
    for (const one of [endpoint, proxy]) await expect(fetch(`${one}/api/v1/errors`)).rejects.toThrow('fetch failed');
  });
});

test('says where the package of the server comes from if it is not installed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'no-server-'));
  try {
    await cp(join(packageFolder, 'dist'), join(folder, 'dist'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await mkdir(join(folder, 'node_modules'));
    for (const name of ['unplugin', '@jridgewell'])
      await symlink(join(packageFolder, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
    const code = `import { service } from './dist/vite.js';
      const plugin = [service({ dev: true })].flat().find(({ name }) => name === 'service-error-server');
      await plugin.config({}, { command: 'serve', mode: 'development' });`;
    const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: folder,
    });
    expect(stderr).toMatch(/^\[service\] `dev` needs the package @service\/server, which is not on npm\./);
    expect(stderr).toContain('npm run pack:server');
    expect(stderr).toContain('npm install --save-dev PATH/service-server-');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('leaves production builds unchanged', async () => {
  const plugins = [service({ dev: true })].flat();
  expect(plugins.find(({ name }) => name === 'service-error-server')?.apply).toBe('serve');
});
