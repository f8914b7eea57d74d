// What a newcomer does on the first day, with nothing but the tarballs: starts the server in an empty folder, adds the
// SDK and the bundler plugin to a fresh Vite app, builds it, and looks for the error of the built page in the dashboard.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium, newPage } from '../test/test-utils/chromium.mjs';
import { run, serve, userEnvironment } from './run.mjs';

/** @import { Browser } from 'playwright-core' */
/** @import { PackedPackage } from './pack.mjs' */

const createVite = 'vite@9.3.0';
const npmInstall = ['install', '--no-audit', '--no-fund', '--loglevel=error'];

/** The page of the app with a mistake: a saved basket may be empty. */
const basket = `interface Basket {
  items: { price: number }[];
}

export function total(basket: Basket): number {
  return basket.items.reduce((sum, { price }) => sum + price, 0);
}
`;
const failingLine = 6;
const useOfTheBasket = `
import { total } from './basket.ts'

document.querySelector('#counter')!.addEventListener('click', () => total(JSON.parse('{}')))
`;

/**
 * Walks in an empty folder. Returns how long each step took. Rejects at the first step that does not work.
 *
 * @param {string} folder
 * @param {PackedPackage[]} packed
 */
export async function newcomersWalk(folder, packed) {
  /** @type {(() => Promise<unknown>)[]} */
  const cleanups = [];
  const steps = createSteps();
  try {
    const server = await steps.time('npx starts the server', () => startServer(folder, tarballOf(packed, 'server')));
    cleanups.push(server.stop);
    const app = join(folder, 'shop');
    await steps.time('a fresh Vite app', () => createApp(folder));
    await steps.time('npm installs SDK, bundler plugin and command line', async () => {
      await run('npm', [...npmInstall, `${server.url}/packages/browser.tgz`], { cwd: app });
      const tools = ['bundler-plugin', 'cli'].map((name) => tarballOf(packed, name));
      await run('npm', [...npmInstall, '--save-dev', ...tools], { cwd: app });
    });
    const token = await createToken(server);
    const env = userEnvironment(folder, { SERVICE_ENDPOINT: server.url, SERVICE_TOKEN: token });
    const project = await steps.time('service projects create', async () => {
      const { stdout } = await run('npx', ['service', 'projects', 'create', 'Shop', '--json'], { cwd: app, env });
      return JSON.parse(stdout);
    });
    await writeApp(app, project.api_key, server.url);
    await steps.time('vite build uploads the source maps', async () => {
      const { output } = await run('npm', ['run', 'build'], { cwd: app, env });
      if (!/proven/.test(output)) throw new Error(`The build does not say that the maps are proven:\n${output}`);
    });
    const site = await serve(
      'npm',
      ['run', 'preview', '--', '--port', '0', '--strictPort'],
      { cwd: app, env },
      /Local:\s+\S+\d/,
    );
    cleanups.push(site.stop);
    const page = addressIn(site.output, /Local:\s+(\S+)/);
    const browser = await launchChromium();
    cleanups.push(() => browser.close());
    await steps.time('the error of the built page has its TypeScript line', async () => {
      await failInBrowser(browser, page);
      const group = await findGroup(server.url, token);
      await expectLineInDashboard(browser, server, group);
    });
    await steps.time('service doctor', () => expectHealthy(app, env, page));
    return steps;
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
}

/** @param {number} time */
const secondsSince = (time) => (performance.now() - time) / 1000;

/** Measures steps and prints them as they end. */
function createSteps() {
  const began = performance.now();
  return {
    totalSeconds: () => secondsSince(began),
    /** @template T @param {string} name @param {() => Promise<T>} action @returns {Promise<T>} */
    async time(name, action) {
      const start = performance.now();
      const result = await action();
      console.log(`✓ ${name} (${secondsSince(start).toFixed(1)} s)`);
      return result;
    },
  };
}

/** @param {PackedPackage[]} packed @param {string} name */
function tarballOf(packed, name) {
  const found = packed.find(({ manifest }) => manifest.name === `@service/${name}`);
  if (!found) throw new Error(`There is no tarball of @service/${name}.`);
  return found.tarball;
}

/** @param {string} output @param {RegExp} pattern */
function addressIn(output, pattern) {
  const [, address] = pattern.exec(output) ?? [];
  if (!address) throw new Error(`No ${pattern} in:\n${output}`);
  return address;
}

/** @param {string} folder @param {string} tarball */
async function startServer(folder, tarball) {
  const cwd = join(folder, 'server');
  await mkdir(cwd);
  const args = ['--yes', '--package', tarball, 'service-server', '--port', '0'];
  const started = await serve('npx', args, { cwd, env: userEnvironment(folder) }, /Owner: .*\n/);
  return {
    stop: started.stop,
    url: addressIn(started.output, /Listening: (\S+)/),
    signIn: addressIn(started.output, /Sign in: (\S+)/),
    password: addressIn(started.output, /password (\S+)/),
  };
}

/** @param {string} folder */
async function createApp(folder) {
  const flags = ['--template', 'vanilla-ts', '--no-interactive'];
  await run('npm', ['create', '--yes', createVite, 'shop', '--', ...flags], { cwd: folder });
  const cwd = join(folder, 'shop');
  await run('npm', npmInstall, { cwd });
  // The commit is the release of the build.
  await run('git', ['init', '--quiet'], { cwd });
  await run('git', ['add', '--all'], { cwd });
  const author = ['-c', 'user.name=Newcomer', '-c', 'user.email=newcomer@localhost', '-c', 'commit.gpgsign=false'];
  await run('git', [...author, 'commit', '--quiet', '--message=A new app'], { cwd });
}

/** @param {{ url: string, password: string }} server */
async function createToken({ url, password }) {
  const signedIn = await call(url, 'POST', '/auth/login', { email: 'admin@localhost', password });
  const created = await call(url, 'POST', '/auth/tokens', { name: 'Builds' }, signedIn.access_token);
  return created.token;
}

/**
 * @param {string} url
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {string} [token]
 */
async function call(url, method, path, body, token) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Adds what the pages of the documentation say. @param {string} app @param {string} key @param {string} url */
async function writeApp(app, key, url) {
  const main = join(app, 'src/main.ts');
  const init = await codeBlock('start.md', 'init(');
  const configured = init.replace('pk_…', key).replace('http://127.0.0.1:4400', url);
  await writeFile(main, `${configured}\n${await readFile(main, 'utf8')}${useOfTheBasket}`);
  await writeFile(join(app, 'src/basket.ts'), basket);
  await writeFile(join(app, 'vite.config.js'), await codeBlock('source-maps.md', 'vite.config.js'));
}

/** Returns the first block of JavaScript on a page of the documentation that contains a text. @param {string} page @param {string} text */
async function codeBlock(page, text) {
  const source = await readFile(new URL(`../docs/${page}`, import.meta.url), 'utf8');
  const blocks = Array.from(source.matchAll(/^```js\n([^]*?)^```$/gm), ([, code = '']) => code);
  const found = blocks.find((code) => code.includes(text));
  if (!found) throw new Error(`docs/${page} has no block with ${text}`);
  return found;
}

/** @param {Browser} browser @param {string} url */
async function failInBrowser(browser, url) {
  const page = await newPage(browser);
  await page.goto(url);
  const sent = page.waitForResponse((response) => response.url().endsWith('/api/v1/errors'));
  await page.click('#counter');
  const response = await sent;
  if (response.status() !== 200) throw new Error(`The report got ${response.status()}: ${await response.text()}`);
  await page.close();
}

/** Returns the id of the only group, whose error must be at its line of TypeScript. @param {string} url @param {string} token */
async function findGroup(url, token) {
  const list = await call(url, 'GET', '/errors', undefined, token);
  if (list.total !== 1) throw new Error(`There are ${list.total} groups instead of one.`);
  const id = list.items[0].error_group_id;
  const { latest_report: report } = await call(url, 'GET', `/errors/${id}`, undefined, token);
  const [frame] = report.frames;
  // Vite's map names the source relative to the script: ../../src/basket.ts.
  if (!frame.file?.endsWith('src/basket.ts') || frame.line !== failingLine)
    throw new Error(`The error is at ${frame.file}:${frame.line} instead of src/basket.ts:${failingLine}.`);
  return id;
}

/** @param {Browser} browser @param {{ url: string, signIn: string }} server @param {number} group */
async function expectLineInDashboard(browser, { url, signIn }, group) {
  const page = await newPage(browser);
  await page.goto(signIn);
  await page.getByText("Cannot read properties of undefined (reading 'reduce')").first().click();
  await page.waitForURL(`${url}/groups/${group}`);
  const failing = await page.locator('.failing').first().textContent();
  if (!failing?.includes('basket.items.reduce')) throw new Error(`The dashboard shows ${failing} as the failing line.`);
  await page.close();
}

/** @param {string} app @param {NodeJS.ProcessEnv} env @param {string} page */
async function expectHealthy(app, env, page) {
  const { output } = await run('npx', ['service', 'doctor', page], { cwd: app, env });
  const results = output.match(/^[✓✗?]/gm) ?? [];
  if (results.length === 0 || results.some((result) => result !== '✓')) throw new Error(`service doctor:\n${output}`);
}
