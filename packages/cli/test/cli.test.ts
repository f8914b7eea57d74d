import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, type Service } from '@service/server';
import { transform } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveOnLoopback } from '../../../test/test-utils/serve-on-loopback.ts';
import { runCli, startCli, type CliResult } from './run-cli.ts';

const token = 'test-admin-token-0123456789';
let folder: string;
let service: Service;
let url: string;
let env: Record<string, string>;
let project: { id: number; name: string; apiKey: string };

beforeAll(async () => {
  service = await createService({ storage: 'memory:', adminToken: token, port: 0, logLevel: 'silent' });
  ({ url } = await service.listen());
});

afterAll(() => service.close());

let count = 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-cli-'));
  project = await service.createProject({ name: `Shop ${++count}` });
  env = { SERVICE_ENDPOINT: url, SERVICE_TOKEN: token, SERVICE_PROJECT: String(project.id) };
});

afterEach(() => rm(folder, { recursive: true }));

const run = (...args: string[]): Promise<CliResult> => runCli(args, env);

/** Writes a minified script and its map, and returns the script. */
async function build(name: string, options: { sourcesContent?: boolean } = {}): Promise<string> {
  const source = `export function total(cart: { items: number[] }): number {
  if (cart.items.length === 0) throw new Error('${name} is empty');
  return cart.items.reduce((left, right) => left + right, 0);
}
console.log(total({ items: [1, 2] }));
`;
  const built = await transform(source, {
    loader: 'ts',
    minify: true,
    sourcefile: `src/${name}.ts`,
    sourcemap: 'external',
    ...options,
  });
  await writeFile(join(folder, `${name}.js`), built.code);
  await writeFile(join(folder, `${name}.js.map`), built.map);
  return built.code;
}

/** Reports an error at the `throw` of a script. Resolves with the id of its group. */
async function report(code: string, fields: object = {}): Promise<string> {
  const column = code.indexOf('throw') + 1;
  const response = await fetch(`${url}/api/v1/errors`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      project_api_key: project.apiKey,
      message: 'cart is empty',
      stacktrace: `Error: cart is empty\n    at t (https://shop.example/cart.js:1:${column})\n    at https://shop.example/cart.js:1:${column + 30}`,
      url: 'https://shop.example/',
      ...fields,
    }),
  });
  const body = (await response.json()) as { error_group_id: number };
  return String(body.error_group_id);
}

describe('the command line', () => {
  test('takes options before the command, also if a value is the name of a command', async () => {
    const whoami = await runCli(['--endpoint', url, 'whoami'], { SERVICE_TOKEN: token });
    expect(whoami).toMatchObject({ code: 0, stderr: '' });
    await service.createProject({ name: 'sourcemaps' });
    const list = await run('--json', '--project', 'sourcemaps', 'sourcemaps', 'list');
    expect(list).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  test('prints help with all commands and exit codes', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    for (const text of ['sourcemaps upload', 'doctor', 'tail', '12  doctor has found a problem'])
      expect(stdout).toContain(text);
    expect((await run('sourcemaps', 'upload', '--help')).stdout).toContain('--dist-url');
    expect((await run('sourcemaps', 'upload', '--help')).stdout).not.toMatch(/only errors/i);
    expect((await run('tail', '--help')).stdout).toMatch(/--release\S* +Only errors last seen in this release/);
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    [[]],
    [['nope']],
    [['sourcemaps']],
    [['doctor', '--bogus']],
    [['sourcemaps', 'upload']],
    [['explain', 'x']],
    [['logout', 'x']],
    [['doctor', '--endpoint', 'errors']],
  ])('rejects %j as a usage error', async (args) => {
    const { code, stderr, stdout } = await run(...args);
    expect(code).toBe(2);
    expect(stderr + stdout).not.toContain('    at ');
  });

  test('signs in with a token from standard input, stores it in a file that only the user can read, and signs out', async () => {
    const home = { XDG_CONFIG_HOME: folder };
    const created = await fetch(`${url}/api/v1/auth/tokens`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'CI' }),
    });
    const { token: own } = (await created.json()) as { token: string };
    const login = await runCli(['login', '--endpoint', `${url}/`], home, `${own}\n`);
    expect(login).toMatchObject({ code: 0, stderr: '' });
    const path = join(folder, 'service', 'credentials.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ endpoint: url, token: own });
    const outputs = [
      login,
      await runCli(['whoami'], home),
      await runCli(['whoami', '--json'], home),
      await runCli(['projects', 'list'], home),
    ];
    for (const { code, stdout, stderr } of outputs) {
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain(own);
    }
    // A token is never sent to another server.
    const other = await runCli(['whoami', '--endpoint', 'http://127.0.0.1:1'], home);
    expect(other).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('There is no token for http://127.0.0.1:1'),
    });
    expect((await runCli(['logout'], home)).code).toBe(0);
    await expect(stat(path)).rejects.toThrow('ENOENT');
    expect((await runCli(['whoami'], home)).code).toBe(3);
  });

  test('names the endpoint if another server responds there, and what to do', async () => {
    const { url: other, close } = await serveOnLoopback((_, response) => response.writeHead(404).end('not found'));
    try {
      const origin = new URL(other).origin;
      const whoAmI = await runCli(['whoami', '--endpoint', origin], { SERVICE_TOKEN: 'any' });
      expect(whoAmI.stderr).toBe(
        `service: ${origin} responded with 404 Not Found, not as an error-tracking server. Correct the endpoint: it is the URL of the dashboard.\n`,
      );
    } finally {
      await close();
    }
  });

  test('does not store a wrong token', async () => {
    const home = { XDG_CONFIG_HOME: folder };
    expect(await runCli(['login', '--endpoint', url], home, 'wrong-token')).toMatchObject({
      code: 3,
      stderr: `service: ${url} does not accept the token. Create a personal access token at ${url}/tokens.\n`,
    });
    expect((await runCli(['login', '--endpoint', url], home, '')).code).toBe(2);
    expect((await runCli(['login', '--endpoint', url], home, 'a b\u0007')).code).toBe(3);
    await expect(stat(join(folder, 'service'))).rejects.toThrow('ENOENT');
  });

  test('says that the stored token is wrong, if it is', async () => {
    await mkdir(join(folder, 'service'));
    const stored = { endpoint: url, token: 'revoked' };
    await writeFile(join(folder, 'service', 'credentials.json'), JSON.stringify(stored));
    expect(await runCli(['whoami'], { XDG_CONFIG_HOME: folder })).toMatchObject({
      code: 3,
      stderr: 'service: The server does not accept the stored token. Sign in again with: service login\n',
    });
  });

  test('creates projects, lists them and rotates a key only if it is confirmed', async () => {
    const created = await run('projects', 'create', `New ${count}`, '--json');
    const { id, api_key: key } = JSON.parse(created.stdout) as { id: number; api_key: string };
    expect((await run('projects', 'list')).stdout).toContain(key);
    expect(await run('projects', 'rotate-key', String(id))).toMatchObject({ code: 2, stdout: '' });
    expect((await run('projects', 'rotate-key', String(id), '--yes')).stdout).toMatch(/^The new key is pk_/);
    expect((await run('projects', 'list')).stdout).not.toContain(key);
    expect((await run('open', '#7')).stdout).toBe(`${url}/groups/7\n`);
  });

  test('ends with a distinct code if the server cannot be reached, the token is wrong or the project is unknown', async () => {
    expect((await runCli(['whoami'], { ...env, SERVICE_ENDPOINT: 'http://127.0.0.1:1' })).code).toBe(4);
    expect((await runCli(['whoami'], { ...env, SERVICE_TOKEN: `${token}\r\n` })).code).toBe(0);
    expect(await runCli(['whoami'], { ...env, SERVICE_TOKEN: 'wrong' })).toMatchObject({
      code: 3,
      stderr: 'service: The server does not accept the token in SERVICE_TOKEN. Set it to a personal access token.\n',
    });
    expect(await run('sourcemaps', 'list', '--project', 'Unknown')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('No project matches "Unknown". Projects: '),
    });
    const json = await run('sourcemaps', 'list', '--project', 'Unknown', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'nothing_found' } });
  });

  test.each([
    ['nonsense', /no command "nonsense"/],
    ['projects nonsense', /no command "projects nonsense". Commands: projects list, projects create, /],
    ['sourcemaps upload DIR --release=', /--release is empty/],
    ['sourcemaps upload DIR --dist-url cdn', /--dist-url must be a URL/],
    ['sourcemaps upload DIR --relaese 1', /Unknown option '--relaese'/],
    ['tail --level bad', /The level can be fatal, error, warning, info, debug/],
    ['doctor shop.example', /The page must be a URL/],
    ['doctor --origin shop.example', /The origin must be one such as/],
  ])('rejects “%s” before it does anything', async (line, message) => {
    const result = await run(...line.split(' '));
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  test('names only the projects that match a name', async () => {
    const twin = await service.createProject({ name: project.name });
    const { code, stderr } = await run('sourcemaps', 'list', '--project', project.name);
    expect(code).toBe(5);
    const names = [project, twin].map(({ id, name }) => `${id} "${name}"`).join(', ');
    expect(stderr).toBe(`service: Several projects match: ${names}. Use the id.\n`);
  });
});

describe('sourcemaps', () => {
  test('upload prints a proof of each map, and uploads nothing the second time', async () => {
    await build('cart');
    const first = await run('sourcemaps', 'upload', folder, '--release', '1.2.3');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^cart\.js ✓ src\/cart\.ts:\d · 1 source\n1 uploaded, 0 unchanged, all proven/);
    const second = await run('sourcemaps', 'upload', folder, '--release', '1.2.3', '--json');
    expect(JSON.parse(second.stdout)).toMatchObject({
      release: '1.2.3',
      results: [{ script: 'cart.js', status: 'unchanged' }],
    });
    expect((await run('sourcemaps', 'list')).stdout).toContain('cart.js');
  });

  test('upload says why there is no release', async () => {
    await build('cart');
    // Git finds no commit, and the variables of a CI service are not passed on.
    const { stdout } = await runCli(['sourcemaps', 'upload', folder], { ...env, GIT_DIR: folder });
    expect(stdout).toContain(`${project.name}, no release: no commit was found. Set --release or SERVICE_RELEASE.\n`);
  });

  test('upload ends with a distinct code for each cause', async () => {
    const upload = (): Promise<CliResult> => run('sourcemaps', 'upload', folder, '--release', '1');
    expect((await upload()).code).toBe(5);
    expect((await run('sourcemaps', 'upload', join(folder, 'missing'))).code).toBe(5);
    await writeFile(join(folder, 'z.js'), 'no()');
    expect((await upload()).code).toBe(6);
    await build('cart');
    expect(await upload()).toMatchObject({ code: 0, stdout: expect.stringContaining('z.js · no source map') });
    await writeFile(join(folder, 'z.js'), 'no()\n//# sourceMappingURL=z.js.map');
    expect((await upload()).code).toBe(6);
    await writeFile(join(folder, 'z.js.map'), 'nothing');
    expect((await upload()).code).toBe(7);
    await build('z', { sourcesContent: false });
    expect((await upload()).code).toBe(8);
    const code = await build('z');
    await writeFile(join(folder, 'z.js'), code.slice(0, 60));
    const result = await upload();
    expect(result.code).toBe(9);
    expect(result.stdout).toContain('z.js ✗ ');
    expect(result.stdout).toContain('cart.js ✓ ');
  });

  test('prints one JSON value, also if a script fails', async () => {
    await build('cart');
    await writeFile(join(folder, 'cart.js.map'), '{');
    const { code, stdout } = await run('sourcemaps', 'upload', folder, '--json');
    expect(code).toBe(7);
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ script: 'cart.js', status: 'failed' }] });
  });

  test('inject gives debug ids, by which a renamed script is resolved', async () => {
    await build('cart');
    expect(await run('sourcemaps', 'inject', folder)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^cart\.js ✓ [0-9a-f-]{36}\n$/),
    });
    expect((await run('sourcemaps', 'inject', folder)).stdout).toContain('unchanged');
    const [, debugId = ''] = /debugId=(\S+)/.exec(await readFile(join(folder, 'cart.js'), 'utf8')) ?? [];
    expect((await run('sourcemaps', 'upload', folder, '--release', '1')).code).toBe(0);
    const code = await readFile(join(folder, 'cart.js'), 'utf8');
    const stacktrace = `Error: empty\n    at t (https://cdn.example/x9.js:1:${code.indexOf('throw') + 1})`;
    const group = await report(code, { stacktrace, debug_ids: { 'https://cdn.example/x9.js': debugId } });
    const { stdout } = await run('explain', group);
    expect(stdout).toContain('total src/cart.ts:2 (map');
    expect(stdout).toContain('by debug id)');
  });

  test('explain names the cause and the command that fixes it', async () => {
    const code = await build('cart');
    const group = await report(code, { release: '7' });
    const missing = await run('explain', `${url}/groups/${group}`);
    expect(missing).toMatchObject({ code: 0, stderr: '' });
    expect(missing.stdout).toContain('The project has no source maps.');
    expect(missing.stdout).toContain(
      'Fix: Build with source maps, then run: service sourcemaps upload DIR --release RELEASE',
    );
    expect((await run('sourcemaps', 'upload', folder, '--release', '6')).code).toBe(0);
    expect((await run('explain', group)).stdout).toContain(
      'Release 7 has no source map of this file. Releases with maps: 6.',
    );
    expect((await run('explain', group)).stdout).toContain(
      'Fix: Run in the build of this release: service sourcemaps upload DIR --release 7',
    );
    expect((await run('sourcemaps', 'upload', folder, '--release', '7')).code).toBe(0);
    expect((await run('sourcemaps', 'explain', group)).stdout).toContain('✓ https://shop.example/cart.js:1:');
    expect((await run('explain', '999999')).code).toBe(5);
  });

  test('explain does not call a line right that a dev server may have changed', async () => {
    const at = 'http://localhost:5173/src/app.tsx?t=1795839141995:59:22';
    const group = await report('', {
      message: 'of a dev server',
      stacktrace: `Error: of a dev server\n    at total (${at})\n    at start (https://shop.example/start.js:12:5)`,
      url: 'http://localhost:5173/',
    });
    const { stdout } = await run('explain', group);
    expect(stdout).toContain(
      `· ${at}\n  A dev server transformed this file, so the line may differ from that of your file.\n`,
    );
    const own = await report('', {
      message: 'of a script',
      stacktrace: 'Error: of a script\n    at start (https://shop.example/start.js:12:5)',
    });
    expect((await run('explain', own)).stdout).toContain(
      'The code is in its original form, unless a dev server transformed it.',
    );
  });

  test('explain shows the path of a source without ../, as the culprit has it', async () => {
    const code = await build('basket');
    const map = join(folder, 'basket.js.map');
    await writeFile(map, (await readFile(map, 'utf8')).replace('src/basket.ts', '../../src/basket.ts'));
    expect((await run('sourcemaps', 'upload', folder, '--release', 'up')).code).toBe(0);
    const at = `https://shop.example/basket.js:1:${code.indexOf('throw') + 1}`;
    const group = await report(code, { release: 'up', message: 'up', stacktrace: `Error: up\n    at t (${at})` });
    expect((await run('explain', group)).stdout).toContain('  total src/basket.ts:2 (map');
  });

  test('explain names a map of another build', async () => {
    await build('cart');
    await run('sourcemaps', 'inject', folder);
    expect((await run('sourcemaps', 'upload', folder, '--release', '1')).code).toBe(0);
    const debugIds = { 'https://shop.example/cart.js': '11111111-023f-4cf1-a267-535f4e37bb17' };
    const group = await report('throw', { release: '1', debug_ids: debugIds });
    const { stdout } = await run('explain', group);
    expect(stdout).toContain('The source map is of another build: the script has the debug id 11111111-');
    expect(stdout).toContain('Fix: Upload the maps of the build that is deployed');
  });

  test('delete removes maps by id or release, only if it is confirmed', async () => {
    await build('cart');
    await build('page');
    await run('sourcemaps', 'upload', folder, '--release', '1');
    await run('sourcemaps', 'upload', folder, '--release', '2');
    expect((await run('sourcemaps', 'delete')).code).toBe(2);
    expect((await run('sourcemaps', 'delete', '--release', '1')).code).toBe(2);
    expect((await run('sourcemaps', 'delete', '--release', '1', '--yes')).stdout).toBe('2 deleted.\n');
    expect((await run('sourcemaps', 'delete', '--release', '1', '--yes')).code).toBe(5);
    const [map] = JSON.parse((await run('sourcemaps', 'list', '--json')).stdout) as { id: number; release: string }[];
    expect(map?.release).toBe('2');
    expect((await run('sourcemaps', 'delete', String(map?.id), '--yes')).code).toBe(0);
    expect((await run('sourcemaps', 'delete', String(map?.id), '--yes')).code).toBe(5);
  });
});

describe('tail', () => {
  test('ends if the server was never reached', async () => {
    const tail = await runCli(['tail'], { SERVICE_ENDPOINT: 'http://127.0.0.1:1', SERVICE_TOKEN: 'any' });
    expect(tail).toMatchObject({ code: 4, stderr: expect.stringContaining('http://127.0.0.1:1 cannot be reached') });
  });

  test('says once that the connection is interrupted, and when it is back', async () => {
    let requests = 0;
    const { url: unstable, close } = await serveOnLoopback((_, response) => {
      requests++;
      if (requests > 1 && requests < 4) return void response.destroy();
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': open\n\n');
      if (requests === 1) setTimeout(() => response.destroy(), 50);
    });
    const child = startCli(['tail'], { SERVICE_ENDPOINT: new URL(unstable).origin, SERVICE_TOKEN: 'any' });
    let notes = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (notes += text));
    try {
      await expect.poll(() => notes).toContain('Connected again.');
      expect(notes.match(/The connection is interrupted \(.+\)\. Connecting again…/g)).toHaveLength(1);
    } finally {
      child.kill();
      await close();
    }
  });

  test('prints errors as they happen, without control characters', async () => {
    const child = startCli(['tail', '--environment', 'staging'], env);
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const closed = new Promise((resolve) => child.on('close', resolve));
    await expect.poll(() => stderr).toContain('Waiting for errors');
    // The stream may open after the note. A report that arrives before is not printed, so a further one is sent.
    await expect
      .poll(
        async () => {
          await report('throw', { environment: 'production', message: 'other' });
          await report('throw', { environment: 'staging', message: 'evil \u001B[2J\u202E text', stacktrace: null });
          return stdout;
        },
        { interval: 500 },
      )
      .toMatch(/#\d+ evil +text · \d+×\n/);
    child.kill();
    await closed;
    expect(stdout).not.toContain('other');
    expect(stdout).not.toContain('\u001B');
  });
});
