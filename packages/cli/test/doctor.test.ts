import { request, type RequestListener } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService, type ConfigInput, type Service } from '@service/server';
import { transform } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isThorough } from '../../../test/test-utils/depth.ts';
import { serveOnLoopback } from '../../../test/test-utils/serve-on-loopback.ts';
import { allowsConnection } from '../src/doctor/check-policy.ts';
import { runCli, type CliResult } from './run-cli.ts';

const docs = fileURLToPath(new URL('../../../docs/cli.md', import.meta.url));
const token = 'test-admin-token-0123456789';
const cleanups: (() => Promise<unknown>)[] = [];
let folder: string;
/** The files of the page, and its headers. */
let site: { files: Record<string, string>; headers: Record<string, string>; origin: string };

/** Serves until the end of the test. Resolves with the origin. */
async function listen(listener: RequestListener): Promise<string> {
  const { url, close } = await serveOnLoopback(listener);
  cleanups.push(close);
  return new URL(url).origin;
}

interface Started {
  service: Service;
  url: string;
  key: string;
  env: Record<string, string>;
}

async function start(config: ConfigInput = {}): Promise<Started> {
  const service = await createService({
    storage: 'memory:',
    adminToken: token,
    port: 0,
    logLevel: 'silent',
    ...config,
  });
  cleanups.push(() => service.close());
  const { url } = await service.listen();
  const { apiKey: key } = await service.createProject({ name: 'Shop' });
  const env = { SERVICE_ENDPOINT: url, SERVICE_TOKEN: token };
  if (site.files['/']) site.files['/'] += sdkTags(url, key);
  return { service, url, key, env };
}

/** The tags of a page that reports errors. */
const sdkTags = (url: string, key: string): string =>
  `<script src="${url}/packages/browser.iife.js"></script><script>ServiceSDK.init({ apiKey: '${key}', endpoint: '${url}' })</script>`;

async function report({ url, key }: Started, fields: object = {}): Promise<number> {
  const response = await fetch(`${url}/api/v1/errors`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      project_api_key: key,
      message: 'empty',
      sdk: { name: '@service/browser', version: '0.1.0' },
      ...fields,
    }),
  });
  await response.body?.cancel();
  return response.status;
}

/** Runs doctor for the page. */
const doctor = ({ env }: Started, ...args: string[]): Promise<CliResult> =>
  runCli(['doctor', `${site.origin}/`, ...args], env);

/** Uploads the maps of the page. */
const upload = ({ env }: Started, release = '1'): Promise<CliResult> =>
  runCli(['sourcemaps', 'upload', folder, '--release', release], env);

/** A problem that doctor prints, and its lines that the documentation does not have. */
interface PrintedProblem {
  code: number | null;
  finding: string | undefined;
  fix: string | undefined;
  undocumented: string[];
}

/** Returns the problem of a check. `…` in the documentation matches any text. */
async function problemOf({ code, stdout }: CliResult, name: string): Promise<PrintedProblem> {
  const lines = stdout.split('\n').map(normalizeSpaces);
  const at = lines.findIndex((line) => line.startsWith(`✗ ${name} `));
  const found = at < 0 ? [] : lines.slice(at, at + 2);
  const documented = (await readFile(docs, 'utf8'))
    .split('\n')
    .map(normalizeSpaces)
    .filter((line) => /^(?:✗|Fix:)/.test(line));
  const patterns = documented.map((line) => new RegExp(`^${line.split('…').map(escapeRegExp).join('.+')}$`));
  const undocumented = found.filter((line) => !patterns.some((pattern) => pattern.test(line)));
  return { code, finding: found[0], fix: found[1], undocumented };
}

const normalizeSpaces = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The problem that a test expects. */
const problemLike = (finding: RegExp, fix: RegExp): object => ({
  code: 12,
  finding: expect.stringMatching(finding),
  fix: expect.stringMatching(fix),
  undocumented: [],
});

/** Passes requests on to a server and keeps each response until it has ended. */
function bufferingProxy(target: string): RequestListener {
  return (incoming, outgoing) => {
    const forwarded = request(
      `${target}${incoming.url}`,
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => outgoing.destroy());
        response.on('end', () =>
          outgoing.writeHead(response.statusCode ?? 502, response.headers).end(Buffer.concat(chunks)),
        );
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  };
}

describe('doctor', () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'doctor-'));
    cleanups.push(() => rm(folder, { recursive: true }));
    site = { files: {}, headers: {}, origin: '' };
    site.origin = await listen(({ url = '/' }, response) => {
      const text = site.files[url];
      response.writeHead(text === undefined ? 404 : 200, site.headers).end(text ?? 'not found');
    });
    const source =
      "export const total = (items: number[]): number => {\n  if (items.length === 0) throw new Error('empty');\n  return items.reduce((a, b) => a + b);\n};\nconsole.log(total([1]));\n";
    const built = await transform(source, {
      loader: 'ts',
      minify: true,
      sourcefile: 'src/cart.ts',
      sourcemap: 'external',
    });
    await writeFile(join(folder, 'cart.js'), built.code);
    await writeFile(join(folder, 'cart.js.map'), built.map);
    await runCli(['sourcemaps', 'inject', folder], {});
    site.files = {
      '/': '<!doctype html><script type="module" src="/cart.js"></script>',
      '/cart.js': await readFile(join(folder, 'cart.js'), 'utf8'),
    };
  });

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  test('finds nothing wrong with a page whose errors arrive and are readable', async () => {
    const server = await start();
    expect(await report(server, { release: '1' })).toBe(200);
    expect((await upload(server)).code).toBe(0);
    const { code, stdout, stderr } = await doctor(server);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('1 script, 1 with debug ids');
    for (const name of [
      'server',
      'clock',
      'key',
      'page',
      'origin',
      'quota',
      'stream',
      'policy',
      'sdk',
      'releases',
      'scripts',
      'public maps',
    ])
      expect(stdout).toMatch(new RegExp(`^✓ ${name} `, 'm'));
    const json = JSON.parse((await doctor(server, '--json')).stdout) as { checks: { state: string }[] };
    expect(json.checks.map(({ state }) => state)).toEqual(Array<string>(12).fill('ok'));
    const groups = await fetch(`${server.url}/api/v1/errors`, { headers: { Authorization: `Bearer ${token}` } });
    // The checks have reported nothing.
    expect(await groups.json()).toMatchObject({ total: 1, items: [{ count: 1 }] });
  });

  test('prints the checks of the server as JSON, although no project is chosen', async () => {
    const server = await start();
    await server.service.createProject({ name: 'Other' });
    const { code, stdout } = await doctor(server, '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'server', state: 'ok' })]),
      error: { code: 'usage', message: expect.stringContaining('project') },
    });
  });

  test('says what it cannot check without a page', async () => {
    const server = await start();
    const { stdout } = await runCli(['doctor'], server.env);
    for (const name of ['page', 'origin', 'policy', 'scripts', 'public maps', 'sdk'])
      expect(stdout).toMatch(new RegExp(`^\\? ${name} `, 'm'));
  });

  test('names a wrong key', async () => {
    const server = await start();
    expect(await problemOf(await doctor(server, '--key', `pk_${'x'.repeat(43)}`), 'key')).toEqual(
      problemLike(/does not know the API key/, /Use apiKey: 'pk_/),
    );
    expect(await problemOf(await doctor(server, '--key', 'nonsense'), 'key')).toEqual(
      problemLike(/does not know the API key/, /Use apiKey: 'pk_/),
    );
  });

  test.each([
    ['without scripts', '<!doctype html><h1>Shop</h1>'],
    ['with another script', '<!doctype html><script type="module" src="/cart.js"></script>'],
    ['with the SDK in a comment', `<!-- ${sdkTags('https://errors.example.com', `pk_${'x'.repeat(43)}`)} -->`],
    ['with early errors only', '<script>/* snippet */ console.error("[ServiceSDK]")</script>'],
  ])('names a page that loads no SDK: %s', async (_, document) => {
    const server = await start();
    site.files['/'] = document;
    expect(await problemOf(await doctor(server), 'page')).toEqual(problemLike(/loads no SDK/, /Call init\(\)/));
  });

  test('names a page with the key of another project, or of none', async () => {
    const server = await start();
    const other = await server.service.createProject({ name: 'Demo' });
    const result = await doctor(server, '--project', String(other.id));
    expect(await problemOf(result, 'page')).toEqual(
      problemLike(/uses the key of project Shop, not that of project Demo/, /Use apiKey: 'pk_.* with --project \d+$/),
    );
    const gone = `pk_${'x'.repeat(43)}`;
    site.files['/'] = sdkTags(server.url, gone);
    expect(await problemOf(await doctor(server, '--project', 'Shop'), 'page')).toEqual(
      problemLike(/uses pk_x+, which is of no project of the team/, /Use apiKey: 'pk_/),
    );
    expect((await doctor(server, '--project', 'Shop', '--key', gone)).stdout).toMatch(/^✓ page +.* that of --key\.$/m);
  });

  test('finds the SDK in a module that a script imports, next to the keys of other services', async () => {
    const server = await start();
    site.files = {
      '/': '<script type="module">import "./main.js"</script>',
      '/main.js': `const stripe="pk_live_${'x'.repeat(40)}",app=()=>import("./assets/sdk.js");import"./gone.js"`,
      '/assets/sdk.js': `fetch("/api/v1/errors",{body:{project_api_key:"${server.key}"}})`,
    };
    expect((await doctor(server)).stdout).toMatch(
      /^✓ page +The page loads an SDK, and its key is that of project Shop/m,
    );
    site.files['/assets/sdk.js'] = 'fetch("/api/v1/errors",{body:{project_api_key:config.key}})';
    expect((await doctor(server)).stdout).toMatch(/^\? page +The page loads an SDK\. Its key is not in the scripts/m);
  });

  test("finds an SDK of Sentry by the project's DSN", async () => {
    const server = await start();
    const [own, other] = await Promise.all(
      ['Own', 'Other'].map(async (name) => {
        const { id } = await server.service.createProject({ name });
        const response = await fetch(`${server.url}/api/v1/projects/${id}`, {
          headers: { Authorization: `Bearer ${token}` },
        });
        return (await response.json()) as { id: number; dsn: string };
      }),
    );
    site.files['/'] =
      `<script>Sentry.init({ dsn: '${own?.dsn}' }); Sentry.init({ dsn: 'https://abc@o1.ingest.sentry.io/2' });</script>`;
    expect((await doctor(server, '--project', 'Own')).stdout).toMatch(/^✓ page /m);
    const { finding, fix } = await problemOf(await doctor(server, '--project', 'Other'), 'page');
    expect(finding).toContain('The page uses the DSN of project Own, not that of project Other.');
    expect(fix).toContain(`Use dsn: '${other?.dsn}' in init()`);
  });

  test('names the scripts that cannot be read if no SDK is found', async () => {
    const server = await start();
    site.files['/'] = '<script src="/gone.js"></script>';
    expect((await doctor(server)).stdout).toMatch(
      /^\? page +No SDK is in the scripts that were read\. \S+gone\.js cannot be read \(status 404\)\.$/m,
    );
  });

  test('blames a proxy, and not the key, for a response of a proxy', async () => {
    const server = await start();
    const proxy = await listen((incoming, response) => {
      if (incoming.method === 'POST') return response.writeHead(502).end('<h1>Bad gateway</h1>');
      incoming.pipe(
        request(
          new URL(incoming.url ?? '', server.url),
          { method: incoming.method, headers: incoming.headers },
          (from) => from.pipe(response.writeHead(from.statusCode ?? 500, from.headers)),
        ),
      );
    });
    const { stdout } = await runCli(['doctor'], { ...server.env, SERVICE_ENDPOINT: proxy });
    expect(stdout).toMatch(/^\? key +The response to a report has the status 502, and is not one of the server\./m);
  });

  test('names an origin that is not listed', async () => {
    const server = await start({ corsOrigins: ['https://shop.example'] });
    expect(await problemOf(await doctor(server), 'origin')).toEqual(
      problemLike(/the origin is not listed/, /--cors-origin http:\/\/127/),
    );
    expect((await doctor(server)).stdout).toMatch(/^ +See: \S+\/projects\/\d+\/origins$/m);
    expect((await doctor(server, '--origin', 'https://shop.example')).stdout).toMatch(/^✓ origin /m);
  });

  test('names an error quota that is used up', async () => {
    const server = await start({ errorQuota: 1 });
    expect([await report(server), await report(server)]).toEqual([200, 429]);
    expect(await problemOf(await doctor(server), 'quota')).toEqual(
      problemLike(/used up \(1 of 1\).*1 were rejected since/, /Choose a larger plan/),
    );
  });

  test('names a clock that is off by an hour', async () => {
    const server = await start();
    const clock = fileURLToPath(new URL('late-clock.mjs', import.meta.url));
    const result = await runCli(['doctor'], { ...server.env, NODE_OPTIONS: `--import=${clock}` });
    expect(await problemOf(result, 'clock')).toEqual(
      problemLike(/60 minutes ahead of the clock of this machine/, /timedatectl/),
    );
  });

  // The command waits ten seconds for the stream.
  test.runIf(isThorough)('names a proxy that buffers the live stream', async () => {
    const server = await start();
    const proxy = await listen(bufferingProxy(server.url));
    const result = await runCli(['doctor'], { ...server.env, SERVICE_ENDPOINT: proxy });
    expect(await problemOf(result, 'stream')).toEqual(problemLike(/a proxy buffers it/, /proxy_buffering off/));
  });

  test('names a release without source maps', async () => {
    const server = await start();
    expect(await report(server, { release: 'shop 2' })).toBe(200);
    expect(await problemOf(await doctor(server), 'releases')).toEqual(
      problemLike(/has no source maps/, /service sourcemaps upload DIR --release 'shop 2'/),
    );
  });

  test('names a script whose map is missing', async () => {
    const server = await start();
    await writeFile(join(folder, 'other.js'), 'export const a=1;');
    await writeFile(
      join(folder, 'other.js.map'),
      '{"version":3,"sources":["a.ts"],"sourcesContent":["export const a = 1;"],"names":[],"mappings":"AAAA"}',
    );
    await rm(join(folder, 'cart.js'));
    expect((await upload(server)).code).toBe(0);
    expect(await problemOf(await doctor(server, '--release', '1'), 'scripts')).toEqual(
      problemLike(/No source map matches cart\.js/, /service sourcemaps upload/),
    );
  });

  test('skips a script that no current browser loads, such as the polyfills of Next.js', async () => {
    const server = await start();
    await upload(server);
    site.files['/polyfills.js'] = `!function(){${'var a=1;'.repeat(100)}}();`;
    site.files['/'] += '<script src="/polyfills.js" noModule=""></script>';
    expect((await doctor(server)).stdout).not.toContain('polyfills.js');
    site.files['/'] = site.files['/']?.replace(' noModule=""', '') ?? '';
    expect((await doctor(server)).stdout).toContain('polyfills.js: No source map matches');
  });

  test('names a map of another build', async () => {
    const server = await start();
    expect((await upload(server)).code).toBe(0);
    site.files['/cart.js'] = (site.files['/cart.js'] ?? '').replace(
      /debugId=\S+/,
      'debugId=11111111-023f-4cf1-a267-535f4e37bb17',
    );
    expect(await problemOf(await doctor(server), 'scripts')).toEqual(
      problemLike(/of another build/, /maps of the build that is deployed/),
    );
  });

  test('names a public map, next to the script or within it', async () => {
    const server = await start();
    const map = await readFile(join(folder, 'cart.js.map'), 'utf8');
    site.files['/cart.js.map'] = map;
    expect(await problemOf(await doctor(server), 'public maps')).toEqual(
      problemLike(/The sources at .* are public/, /hidden source maps/),
    );
    delete site.files['/cart.js.map'];
    site.files['/cart.js'] +=
      `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
    expect(await problemOf(await doctor(server), 'public maps')).toEqual(
      problemLike(/The sources at .* are public/, /hidden source maps/),
    );
  });

  test('names a policy of the page that blocks reports', async () => {
    const server = await start();
    site.headers['Content-Security-Policy'] = "default-src 'self'; connect-src 'self' https://api.example";
    expect(await problemOf(await doctor(server), 'policy')).toEqual(problemLike(/blocks reports/, /to connect-src/));
  });

  test('names the variable that sets the release if no report has one', async () => {
    const server = await start();
    expect((await upload(server)).code).toBe(0);
    expect(await report(server)).toBe(200);
    expect((await doctor(server)).stdout).toMatch(
      /^\? releases +No report has a release yet\.\n +Fix: Set SERVICE_RELEASE in the build if it uses the bundler plugin/m,
    );
  });

  test('names an old SDK', async () => {
    const server = await start();
    await report(server, { sdk: { name: '@service/browser', version: '0.0.9' } });
    expect(await problemOf(await doctor(server), 'sdk')).toEqual(
      problemLike(/latest report came from @service\/browser 0\.0\.9/, /npm install http/),
    );
  });

  test('names a page that cannot be read, and still makes the other checks', async () => {
    const server = await start();
    const address = 'http://127.0.0.1:1/shop';
    const result = await runCli(['doctor', address], server.env);
    expect(result.code).toBe(12);
    expect(await problemOf(result, 'page')).toEqual(
      problemLike(/http:\/\/127\.0\.0\.1:1\/shop cannot be read \(.+\)\.$/, /this machine can open/),
    );
    expect(result.stdout).toMatch(/^\? policy +The page cannot be read\.$/m);
    expect(result.stdout).toMatch(/^. quota /m);
  });

  test('names a server that cannot be reached, or is something else', async () => {
    const env = { SERVICE_ENDPOINT: 'http://127.0.0.1:1', SERVICE_TOKEN: token };
    expect(await problemOf(await runCli(['doctor'], env), 'server')).toEqual(
      problemLike(/cannot be reached/, /Start the server/),
    );
    const other = { ...env, SERVICE_ENDPOINT: site.origin };
    expect(await problemOf(await runCli(['doctor'], other), 'server')).toEqual(
      problemLike(/not as an error-tracking server/, /Correct --endpoint/),
    );
  });
});

describe('allowsConnection', () => {
  const page = new URL('https://shop.example/');
  const target = new URL('https://errors.example.com');
  test.each([
    ["default-src 'self'", false],
    ["default-src *; connect-src 'self'", false],
    ["default-src 'none'; connect-src https://errors.example.com", true],
    ['connect-src errors.example.com', true],
    ['connect-src *.example.com', true],
    ['connect-src *.errors.example.com', false],
    ['connect-src https:', true],
    ['connect-src http://errors.example.com', true],
    ['connect-src https://errors.example.com:8443', false],
    ['connect-src https://errors.example.com:*', true],
    ['connect-src https://errors.example.com/api/', true],
    ['connect-src https://errors.example.com/other/', false],
    ['connect-src', false],
    ["script-src 'self'", true],
    ['connect-src *, connect-src https://other.example', false],
    ['', true],
  ])('reads %j', (policy, isAllowed) => {
    expect(allowsConnection(policy, target, page)).toBe(isAllowed);
  });
});
