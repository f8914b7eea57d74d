import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startTestServer } from './test-server.ts';

const run = promisify(execFile);
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Debian has both SDKs: python3-sentry-sdk and ruby-sentry-ruby. */
function canRun(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    console.warn(`The SDK of Sentry for ${command} is missing, so its test is skipped.`);
    return false;
  }
}

const python = '/usr/bin/python3';

test.skipIf(!canRun(python, ['-c', 'import sentry_sdk']))(
  'the Python SDK of Debian reports exceptions, causes and log records, without local variables',
  async () => {
    const server = await startTestServer();
    await run(python, [pathOf('program.py'), server.dsn]);
    const groups = await server.groups(3);
    const facts = groups.map(({ type, message, culprit, count }) => ({ type, message, culprit, count }));
    expect(facts).toHaveLength(3);
    expect(facts).toEqual(
      expect.arrayContaining([
        { type: 'KeyError', message: "'price'", culprit: 'total (program.py)', count: 1 },
        { type: 'ValueError', message: 'no total', culprit: 'program.py', count: 1 },
        { type: null, message: 'cart 17 failed', culprit: null, count: 1 },
      ]),
    );
    const [report, chained] = ['KeyError', 'ValueError'].map(
      (name) => groups.find(({ type }) => type === name)?.latest_report,
    );
    expect(report?.frames[0]).toMatchObject({ function: 'total', resolved: true, in_app: true });
    expect(report?.frames[0]?.context.find(({ line }) => line === report.frames[0]?.line)?.text).toContain(
      'cart["price"]',
    );
    expect(chained?.causes).toMatchObject([{ type: 'KeyError', relation: 'cause' }]);
    expect(JSON.stringify(report)).not.toContain('hunter2"');
    expect(report?.frames[0]?.variables).toBeUndefined();
    await server.close();
  },
);

test.skipIf(!canRun('ruby', ['-e', 'require "sentry-ruby"']))(
  'the Ruby SDK of Debian reports exceptions with source lines',
  async () => {
    const server = await startTestServer();
    await run('ruby', [pathOf('program.rb'), server.dsn]);
    const [group] = await server.groups(1);
    expect(group).toMatchObject({ type: 'KeyError', count: 1, culprit: expect.stringContaining('program.rb') });
    expect(
      group?.latest_report?.frames.some(({ context }) => context.some(({ text }) => text.includes(':price'))),
    ).toBe(true);
    await server.close();
  },
);
