// The blocks of code in README.md, CONTRIBUTING.md, docs/ and the READMEs of packages and examples are compiled, parsed
// or checked, except outputs and quotations.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocks, blocksIn, root, titled } from './code-blocks/blocks.ts';
import { commandsOf, problemOf } from './code-blocks/commands.ts';
import { compileBlocks } from './code-blocks/compile.ts';

const has = (program: string): boolean => spawnSync(program, ['-v']).error === undefined;

/** Outputs and quotations. docs.test.ts, docs-site.test.ts and the tests of deploy/ check some of them. */
const unchecked = ['', 'text', 'http', 'ini'];
const checked = ['sh', 'js', 'jsx', 'ts', 'tsx', 'html', 'svelte', 'json', 'yaml', 'python', 'nginx', 'caddyfile'];

test('every block is in a language that these tests know', () => {
  expect(blocks.length).toBeGreaterThan(200);
  const known = new Set([...unchecked, ...checked]);
  expect(blocks.filter(({ language }) => !known.has(language))).toEqual([]);
});

test('TypeScript, JavaScript and scripts in HTML compile', () => {
  const scripts = blocksIn('html').flatMap((block) =>
    Array.from(block.code.matchAll(/<script[^>]*>([^]*?)<\/script>/g), ([, code = '']) => ({ ...block, code })),
  );
  expect(scripts.length).toBeGreaterThan(4);
  const code = "import { init } from '@service/browser';\n\ninit({ apiKey: 5, endpoint: '' });\n";
  const mistake = { page: 'mistake.md', line: 10, language: 'ts', code };
  expect(compileBlocks([...blocksIn('ts', 'tsx', 'js', 'jsx'), ...scripts, mistake])).toEqual([
    "mistake.md:12 Type 'number' is not assignable to type 'string'.",
  ]);
});

test.each(titled(blocksIn('svelte')))('the component in %s compiles', async (_, { code }) => {
  const { resolve } = createRequire(join(root, 'packages/browser/package.json'));
  const { compile } = (await import(resolve('svelte/compiler'))) as {
    compile(source: string, options: object): { warnings: unknown[] };
  };
  expect(compile(code, { generate: 'client' }).warnings).toEqual([]);
});

test('JSON can be parsed', () => {
  const wrong = blocksIn('json').filter(({ code }) => {
    try {
      JSON.parse(code);
      return false;
    } catch {
      return true;
    }
  });
  expect(wrong).toEqual([]);
});

test('YAML has keys and lists, indented by spaces', () => {
  const lines = blocksIn('yaml').flatMap(({ code }) => code.trimEnd().split('\n'));
  expect(lines.filter((line) => !/^(?: {2})*(?:- \S.*|[\w.-]+:(?: \S.*)?)$/.test(line))).toEqual([]);
});

test.each([
  ['service sourcemap upload dist', 'service has no command sourcemap'],
  ['service doctor --strict', 'service doctor has no --strict'],
  ['service-server --prot 80', 'service-server has no --prot'],
  ['service-server dump', 'service-server has no command dump'],
  ['service-server backup x --fast', 'service-server backup has no --fast'],
  ['npm run nothing', 'no script nothing'],
  ['curl http://127.0.0.1:4400/api/v1/groups', 'the API has no GET /groups'],
  ['frobnicate', 'unknown program frobnicate'],
])('%s is reported: %s', (command, problem) => expect(problemOf(command)).toBe(problem));

test('all commands exist, with their flags, scripts and paths of the API', () => {
  const problems = titled(blocksIn('sh')).flatMap(([place, { code }]) =>
    commandsOf(code).flatMap((command) => {
      const problem = problemOf(command);
      return problem ? [`${place} ${problem}`] : [];
    }),
  );
  expect(problems).toEqual([]);
});

test.skipIf(!has('python3'))('Python has no syntax error, and uses only names and options of the SDK', () => {
  const input = JSON.stringify(blocksIn('python'));
  const env = { ...process.env, PYTHONPATH: join(root, 'packages/python/src') };
  const script = join(root, 'test/code-blocks/check-python.py');
  expect(execFileSync('python3', [script], { input, env, encoding: 'utf8' })).toBe('');
  const mistake = JSON.stringify([
    { page: 'page.md', line: 10, code: 'import service_sdk\nservice_sdk.init(key=1)\n' },
  ]);
  expect(execFileSync('python3', [script], { input: mistake, env, encoding: 'utf8' })).toBe(
    'page.md:11 init() has no option key\n',
  );
});

/** Writes a configuration to a file for a program that checks it. Returns its errors, or '' if it accepts the file. */
function checkFile(code: string, command: (file: string) => [program: string, ...args: string[]]): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-blocks-'));
  try {
    const file = join(folder, 'config');
    writeFileSync(file, code);
    const [program, ...args] = command(file);
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, HOME: folder } });
    return status === 0 ? '' : stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(!has('nginx')).each(titled(blocksIn('nginx')))('nginx accepts %s', (_, { code }) => {
  const server = code.startsWith('location') ? `server { ${code} }` : code;
  // There is no certificate here.
  const http = server
    .replaceAll(/listen ([^;]*?)443 ssl/g, 'listen $18443')
    .replaceAll(/^\s*ssl_certificate.*;$/gm, '');
  expect(
    checkFile(`events {}\nhttp {\n${http}\n}\n`, (file) => [
      'nginx',
      '-t',
      '-e',
      'stderr',
      '-g',
      'pid /dev/null;',
      '-c',
      file,
    ]),
  ).toBe('');
});

test.skipIf(!has('caddy')).each(titled(blocksIn('caddyfile')))('Caddy accepts %s', (_, { code }) => {
  expect(checkFile(code, (file) => ['caddy', 'validate', '--adapter', 'caddyfile', '--config', file])).toBe('');
});

const reportFunctions: [place: string, code: string][] = [
  ['docs/node.md', blocksIn('js').find(({ page }) => page === 'docs/node.md')!.code],
  ['examples/node-report', readFileSync(join(root, 'examples/node-report/report.mjs'), 'utf8')],
];
test.each(reportFunctions)('the function in %s never rejects, whatever is thrown', (_, code) => {
  const unreachable = code.replace(/https?:\/\/(errors\.example\.com|127\.0\.0\.1:4400)/, 'http://127.0.0.1:1');
  expect(unreachable).not.toBe(code);
  // Calls it like a request handler: without waiting. An unhandled rejection would end the process with code 1.
  const onExit = "process.on('exit', (status) => console.log(`ended with ${status}`));\n";
  const noText = '{ toString() { throw Object.create(null); } }';
  const values = ["new Error('It broke')", "'a text'", 'null', 'Object.create(null)', noText];
  const script = `${unreachable}\n${onExit}${values.map((value) => `report(${value});\n`).join('')}`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: { ...process.env, SERVICE_URL: undefined },
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'ended with 0\n' });
});
