import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../packages/python/', import.meta.url));
const run = promisify(execFile);

/** Returns whether an interpreter is installed, with a version that the SDK supports. */
function isUsable(interpreter: string): boolean {
  try {
    execFileSync(interpreter, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.each(['python3', 'pypy3'])('the Python SDK on %s', (interpreter) => {
  const isInstalled = isUsable(interpreter);
  if (!isInstalled) console.warn(`Skipped the tests of the Python SDK on ${interpreter}: it is not installed.`);

  test.skipIf(!isInstalled)('passes its own tests', { timeout: 300_000 }, async () => {
    const env = { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' };
    const { stderr } = await run(interpreter, ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'], {
      cwd: folder,
      env,
    });
    expect(stderr).toMatch(/\nRan \d+ tests in .*\n\nOK\n$/);
  });
});
