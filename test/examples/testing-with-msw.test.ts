import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFull } from '../test-utils/depth.ts';

const example = fileURLToPath(new URL('../../examples/testing-with-msw', import.meta.url));
/** A mistake in the example, by the title of the test that guards against it. */
const mistakes: Record<string, [file: string, code: string, mistake: string]> = {
  'a sale reports nothing': ['shop.js', 'this.cart = [];\n', 'this.cart = []; captureException(new Error("sold"));\n'],
  'a failed payment is reported once': [
    'shop.js',
    "return 'Sorry, please try again.'",
    "captureException(new Error('again')); return 'Sorry'",
  ],
  'a declined card is no error': ['shop.js', 'response.status === 402', 'response.status === 403'],
  'the number of a card is not sent': ['reporting.js', String.raw`\b\d{16}\b`, String.raw`\b\d{17}\b`],
  'a report says in which step it happened': ['shop.js', "scope.setTag('step', 'checkout');", ''],
  'a report names the customer by id only': ['reporting.js', '{ id: customer.id }', '{ id: customer.email }'],
  'the request that failed is a breadcrumb': [
    'reporting.js',
    "release: 'shop@1.0.0',",
    "release: 'shop@1.0.0', maxBreadcrumbs: 0,",
  ],
  'two customers with the same problem are one error': [
    'reporting.js',
    'return report;',
    'report.fingerprint = [String(Math.random())]; return report;',
  ],
  'a payment that the customer cancels is not reported': [
    'reporting.js',
    'ignoreErrors: [/cancelled by the customer/],',
    '',
  ],
  'the shop works without the error service': [
    'shop.js',
    "return 'Sorry, please try again.'",
    "await Promise.reject(new Error('no'))",
  ],
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-example-'));
  for (const part of ['src', 'test', 'package.json', 'vitest.config.js'])
    await cp(join(example, part), join(folder, part), { recursive: true });
  await symlink(join(example, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs the tests of the example. Returns the titles of those that failed. */
async function failedTests(): Promise<string[]> {
  const vitest = join(example, 'node_modules/vitest/vitest.mjs');
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST.*|NODE_OPTIONS|TEST)$/.test(name));
  const child = spawn(process.execPath, [vitest, 'run', '--reporter', 'json', '--root', folder], {
    env: { ...Object.fromEntries(own), NODE_ENV: undefined },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  await once(child, 'close');
  interface Result {
    testResults: { assertionResults: { title: string; status: string }[] }[];
  }
  const { testResults } = JSON.parse(output.slice(output.indexOf('{"'))) as Result;
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(results.map(({ title }) => title)).toHaveLength(Object.keys(mistakes).length);
  return results.filter(({ status }) => status === 'failed').map(({ title }) => title);
}

test('the tests of the example pass', async () => expect(await failedTests()).toEqual([]));

// Each mistake starts Vitest once, so only some are made by default.
test.each(Object.entries(mistakes).slice(0, isFull ? undefined : 2))(
  '“%s” fails with its mistake',
  async (title, [file, code, mistake]) => {
    const path = join(folder, 'src', file);
    const source = await readFile(path, 'utf8');
    expect(source).toContain(code);
    await writeFile(
      path,
      source.replace(code, () => mistake),
    );
    try {
      const failed = await failedTests();
      expect(
        failed.some((found) => found.startsWith(title)),
        failed.join(),
      ).toBe(true);
    } finally {
      await writeFile(path, source);
    }
  },
);
