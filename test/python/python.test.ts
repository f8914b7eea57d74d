import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isFull, isThorough } from '../test-utils/depth.ts';

const folder = fileURLToPath(new URL('../../packages/python/', import.meta.url));
const run = promisify(execFile);
/** Returns whether a program ends with exit code 0. */
function succeeds(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Returns whether an interpreter is installed, with a version that the SDK supports. */
function isUsable(interpreter: string): boolean {
  return succeeds(interpreter, '-c', 'import sys; sys.exit(sys.version_info < (3, 9))');
}

/** Returns the interpreters that pyenv has installed and that the SDK supports. */
function pyenvInterpreters(): string[] {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .map((version) => join(versions, version, 'bin/python'))
    .filter(isUsable);
}

/** Runs tests of the package. Returns the output, which names each test and why one was skipped. */
async function runTests(interpreter: string, ...tests: string[]): Promise<string> {
  const env = { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' };
  const options = { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 };
  return (await run(interpreter, ['-m', 'unittest', ...tests, '-v'], options)).stderr;
}

const passed = /\nRan [1-9]\d* tests in .*\n\nOK( \(skipped=\d+\))?\n$/;

/**
 * A short run tests one interpreter. The versions of pyenv in between differ little: only the full run includes them.
 */
function testedInterpreters(): string[] {
  if (!isThorough) return ['python3'];
  const versions = pyenvInterpreters().toSorted(byVersion);
  return ['python3', 'pypy3', ...(isFull ? versions : new Set([...versions.slice(0, 1), ...versions.slice(-1)]))];
}

function byVersion(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

describe.each(testedInterpreters())('the Python SDK on %s', (interpreter) => {
  const isInstalled = isUsable(interpreter);
  if (!isInstalled) console.warn(`Skipped the tests of the Python SDK on ${interpreter}: it is missing or too old.`);

  // The full run reports 10,000 hostile exceptions.
  const timeout = isFull ? 3_600_000 : 300_000;
  test.skipIf(!isInstalled)('passes its own tests', { timeout }, async () => {
    expect(await runTests(interpreter, 'discover', '-s', 'tests', '-t', '.')).toMatch(passed);
  });
});

// Debian installs the frameworks for its own interpreter, which may not be the first one on the PATH.
const withFrameworks = ['python3', '/usr/bin/python3'].find((interpreter) =>
  succeeds(interpreter, '-c', 'import build, celery, django, fastapi, flask, gevent, gunicorn, mypy, uvicorn, wsproto'),
);

/** Each starts its programs twice, with and without the SDK. A short run leaves out what builds on the others. */
const onlyInThoroughRuns = new Set(['test_celery.py', 'test_django.py', 'test_fastapi.py', 'test_package.py']);
const integrations = readdirSync(join(folder, 'integration_tests')).filter(
  (name) => /^test_.*\.py$/.test(name) && (isThorough || !onlyInThoroughRuns.has(name)),
);

describe.each([withFrameworks ?? 'python3', ...(isFull ? ['pypy3'] : [])])(
  'the integrations of the Python SDK on %s',
  (interpreter) => {
    const hasFrameworks = interpreter === withFrameworks || isFull;
    if (!hasFrameworks)
      console.warn(
        'Skipped the integrations of the Python SDK: Flask, Django, FastAPI, Celery, a server or a tool is missing.',
      );

    // The programs under test wait for each other most of the time.
    test.skipIf(!hasFrameworks).concurrent.each(integrations)('pass %s', { timeout: 600_000 }, async (file) => {
      const output = await runTests(interpreter, `integration_tests.${file.replace('.py', '')}`);
      for (const [line] of output.matchAll(/^.*\.\.\. skipped .*$/gm)) console.warn(line);
      expect(output).toMatch(passed);
    });
  },
);
