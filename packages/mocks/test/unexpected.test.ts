import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

test('a test fails only if the app sends a report that the test does not check', async () => {
  const output = await runFixture();
  expect(output).toContain('Tests  1 failed | 3 passed');
  expect(output).toContain('FAIL  shop.fixture.ts > does not expect a report');
  expect(output).toMatch(/The app has reported what this test does not expect:\n {2}1\. The cart is empty/);
});

/** Runs the tests of the fixture and resolves with what Vitest prints. */
function runFixture(): Promise<string> {
  const root = join(import.meta.dirname, 'unexpected');
  const env = {
    ...process.env,
    NO_COLOR: '1',
    VITEST: undefined,
    VITEST_WORKER_ID: undefined,
    VITEST_POOL_ID: undefined,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [vitest, 'run', '--root', root], { env }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
