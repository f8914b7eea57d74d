import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createService } from '../../src/index.ts';
import { entryVersion } from '../../src/store/records/entry.ts';
import { Config, flagNames, variableName } from '../../src/config.ts';
import { killPrograms, runToEnd, startServer, run, token, type Program } from './program.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { hasRedis, startRedis, stopRedisServers } from '../storage/redis-server.ts';

/** The sockets of these servers are in a separate folder per test. */
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  env = { XDG_RUNTIME_DIR: await temporaryFolder() };
});

afterEach(async () => {
  killPrograms();
  await stopRedisServers();
  await cleanUp();
});

async function call<Json>({ url }: Program, method: string, path: string, body?: object): Promise<Json> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Json;
}

interface State {
  projects: { id: number; name: string; api_key: string }[];
  groups: { total: number; items: { id: number; count: number; fingerprint: string }[] };
}

async function readState(program: Program): Promise<State> {
  return { projects: await call(program, 'GET', 'projects'), groups: await call(program, 'GET', 'errors') };
}

/** Starts a server with a project and two groups. */
async function startUsed(storage: string): Promise<{ program: Program; api_key: string }> {
  const program = await startServer(['--storage', storage], env);
  const { api_key } = await call<{ api_key: string }>(program, 'POST', 'projects', { name: 'Shop' });
  for (const message of ['one', 'two', 'two'])
    await call(program, 'POST', 'errors', { project_api_key: api_key, message });
  return { program, api_key };
}

async function stop({ child, exited }: Program): Promise<void> {
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
}

const folderStorage = async (): Promise<string> => `file:${await temporaryFolder()}`;
const newFile = async (): Promise<string> => join(await temporaryFolder(), 'all.backup');

describe('service-server backup', () => {
  test('backup of a running server contains all acknowledged data, and restores completely', async () => {
    const storage = await folderStorage();
    const { program, api_key } = await startUsed(storage);
    const file = await newFile();
    const { code, output } = await runToEnd(['backup', file, '--storage', storage], env);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^Backed up 1 project, 2 groups and 0 source maps to .*all\.backup \(\d+ kB\)\.\n$/),
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(file, '..'))).toEqual(['all.backup']);
    const before = await readState(program);

    const elsewhere = await folderStorage();
    const restored = await runToEnd(['restore', file, '--storage', elsewhere], env);
    expect([restored.code, restored.output]).toEqual([
      0,
      expect.stringMatching(/^Restored 1 project, 2 groups and 0 source maps, as of 20\S+Z, to file:.*\.\n$/),
    ]);
    const second = await startServer(['--storage', elsewhere], env);
    expect(await readState(second)).toEqual(before);
    expect(second.output()).not.toContain('Sign in');
    const accepted = await call<{ error_group_id: number; is_new_group: boolean }>(second, 'POST', 'errors', {
      project_api_key: api_key,
      message: 'three',
    });
    expect(accepted).toMatchObject({ is_new_group: true, error_group_id: 3 });
  });

  test('backup reads the storage from the variables of the server', async () => {
    const storage = await folderStorage();
    await startUsed(storage);
    const { code } = await runToEnd(['backup', await newFile()], { ...env, SERVICE_STORAGE: storage });
    expect(code).toBe(0);
  });

  test('backup reaches a server that uses another path of the same folder', async () => {
    const folder = await temporaryFolder();
    await startUsed(`file:${folder}`);
    const link = join(await temporaryFolder(), 'link');
    await symlink(folder, link);
    expect((await runToEnd(['backup', await newFile(), '--storage', `file:${link}/`], env)).code).toBe(0);
  });

  test('backup reads the storage directly if no server runs', async () => {
    const storage = await folderStorage();
    const { program } = await startUsed(storage);
    await stop(program);
    const { code, output } = await runToEnd(['backup', await newFile(), '--storage', storage], env);
    expect([code, output]).toEqual([0, expect.stringContaining('1 project, 2 groups')]);
  });

  test('backup reads a folder that is mounted read-only, also after a kill', async ({ skip }) => {
    const [folder, snapshot] = [await temporaryFolder(), await temporaryFolder()];
    const { program } = await startUsed(`file:${folder}`);
    program.child.kill('SIGKILL');
    await program.exited;
    const succeeds = (command: string, ...words: string[]): boolean => spawnSync(command, words).status === 0;
    if (!succeeds('mount', '--bind', folder, snapshot)) return skip('nothing can be mounted here');
    try {
      expect(succeeds('mount', '-o', 'remount,bind,ro', snapshot)).toBe(true);
      const file = await newFile();
      const { code, output } = await runToEnd(['backup', file, '--storage', `file:${snapshot}`], env);
      expect([code, output]).toEqual([0, expect.stringContaining('1 project, 2 groups')]);
      const restored = await folderStorage();
      expect((await runToEnd(['restore', file, '--storage', restored], env)).code).toBe(0);
    } finally {
      succeeds('umount', '-l', snapshot);
    }
  });

  test('backup rejects the format of an older server and says what to do instead', async () => {
    const storage = await folderStorage();
    const { program } = await startUsed(storage);
    await stop(program);
    const file = await newFile();
    const older = await runToEnd(['backup', file, '--format', '2', '--storage', storage], env);
    expect(older.code).toBe(1);
    expect(older.output).toContain('restore the backup that was made before the upgrade');
    expect(await stat(file).catch(() => null)).toBeNull();
    const current = await runToEnd(['backup', file, '--format', String(entryVersion), '--storage', storage], env);
    expect(current).toMatchObject({ code: 0 });
  });

  test('backup replaces a file only with --force', async () => {
    const storage = await folderStorage();
    await startUsed(storage);
    const file = await newFile();
    await writeFile(file, 'something else');
    const rejected = await runToEnd(['backup', file, '--storage', storage], env);
    expect([rejected.code, rejected.output]).toEqual([
      1,
      expect.stringMatching(/^service-server: .* already exists\..*\n$/),
    ]);
    expect(await readFile(file, 'utf8')).toBe('something else');
    expect((await runToEnd(['backup', file, '--force', '--storage', storage], env)).code).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/^\{"format":"service-backup"/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test.each([
    [['backup'], 'backup needs FILE'],
    [['backup', 'a', 'b'], 'backup needs FILE'],
    [['backup', 'a', '--fast'], "Unknown option '--fast'"],
    [['backup', 'a', '--storage', 'memory:'], 'memory: ends with its server'],
    [['backup', 'a', '--storage', 'file:./nowhere'], 'There is no storage at file:./nowhere'],
    [['backup', './no/such/folder/a', '--storage', 'file:./nowhere'], 'There is no folder ./no/such/folder'],
    [['backup', '/', '--storage', 'file:./nowhere'], '/ is not a file'],
    [['restore', 'nothing.backup', '--storage', 'file:./new'], 'nothing.backup cannot be read (ENOENT'],
    [['restore', 'a', '--storage', 'memory:'], 'memory: ends with its server'],
    [['restore', ''], 'restore needs FILE'],
    [['plan', '1'], 'plan needs TEAM and PLAN (service-server plan TEAM PLAN'],
    [['plan', '1', 'pro', '--force'], "Unknown option '--force'"],
    [['plan', '1', 'pro', '--storage', 'memory:'], 'memory: ends with its server'],
    [['plan', '1', 'pro', '--storage', 'file:./nowhere'], 'There is no storage at file:./nowhere'],
    [['fingerprint'], 'fingerprint needs FILE (service-server fingerprint FILE)'],
    [['fingerprint', 'a', 'b'], 'fingerprint needs FILE'],
    [['fingerprint', 'a', '--storage', 'file:./nowhere'], "Unknown option '--storage'"],
    [['fingerprint', 'nothing.txt'], "nothing.txt can't be read (ENOENT)"],
    [['fingerprint', '/'], "/ can't be read (EISDIR)"],
    [['fingerprint', '/dev/null'], '/dev/null is empty'],
    [['fingerprint', '/dev/zero'], '/dev/zero exceeds the limit of'],
    [['backups', 'a'], 'There is no command "backups"'],
    [['constructor', 'a'], 'There is no command "constructor"'],
  ])('%j prints one error line and exits with 1', async (args, message) => {
    const { code, output } = await runToEnd(args, env);
    expect(code).toBe(1);
    expect(output).toMatch(/^service-server: [^\n]+\n$/);
    expect(output).toContain(message);
  });

  test('backup names a server whose socket it cannot reach, and does not bypass it', async () => {
    const storage = await folderStorage();
    // Other users may write to the folder of the socket.
    const shared = await temporaryFolder();
    const folder = join(shared, `service-server-${process.getuid?.()}`);
    await mkdir(folder);
    await chmod(folder, 0o777);
    const { program } = await startUsed(storage);
    const elsewhere = { XDG_RUNTIME_DIR: shared, TMPDIR: shared };
    const { code, output } = await runToEnd(['backup', await newFile(), '--storage', storage], elsewhere);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining(`Process ${program.child.pid} uses this storage and cannot be reached`),
    ]);
  });

  test('a server replaces the socket of a killed server', async () => {
    const storage = await folderStorage();
    const { program } = await startUsed(storage);
    program.child.kill('SIGKILL');
    await program.exited;
    await startServer(['--storage', storage], env);
    await expect
      .poll(async () => (await runToEnd(['backup', await newFile(), '--storage', storage], env)).output)
      .toContain('Backed up');
  });
});

describe('commands for a program that embeds the server', () => {
  test('reach it after acceptCommands(), and its storage again once it is closed', async () => {
    const storage = await folderStorage();
    const service = await createService({ storage, logLevel: 'silent' });
    const teams = () => runToEnd(['teams', '--storage', storage], env);
    expect(await teams()).toEqual({
      code: 1,
      output: expect.stringContaining(`Process ${process.pid} uses this storage and cannot be reached`),
    });
    vi.stubEnv('XDG_RUNTIME_DIR', env.XDG_RUNTIME_DIR);
    await service.acceptCommands();
    vi.unstubAllEnvs();
    expect(await teams()).toEqual({ code: 0, output: expect.stringContaining('Operator') });
    expect(await runToEnd(['backup', await newFile(), '--storage', storage], env)).toMatchObject({ code: 0 });
    await service.close();
    expect(await teams()).toMatchObject({ code: 0 });
    expect(await readdir(env.XDG_RUNTIME_DIR ?? '', { recursive: true })).not.toContainEqual(
      expect.stringMatching(/\.sock$/),
    );
  });
});

describe('service-server restore', () => {
  async function aBackup(): Promise<string> {
    const storage = await folderStorage();
    const { program } = await startUsed(storage);
    const file = await newFile();
    await stop(program);
    expect((await runToEnd(['backup', file, '--storage', storage], env)).code).toBe(0);
    return file;
  }

  test('restore requires a stopped server', async () => {
    const file = await aBackup();
    const storage = await folderStorage();
    const { program } = await startUsed(storage);
    const { code, output } = await runToEnd(['restore', file, '--force', '--storage', storage], env);
    expect([code, output]).toEqual([
      1,
      `service-server: Process ${program.child.pid} uses this storage. Stop that server first, then restore.\n`,
    ]);
    const unseen = await runToEnd(['restore', file, '--force', '--storage', storage], {
      XDG_RUNTIME_DIR: '/nowhere',
      TMPDIR: '/nowhere',
    });
    expect([unseen.code, unseen.output]).toEqual([1, expect.stringContaining(`Process ${program.child.pid}`)]);
  });

  test('restore replaces a storage that is not empty only with --force', async () => {
    const file = await aBackup();
    const storage = await folderStorage();
    const { program } = await startUsed(storage);
    await call(program, 'POST', 'projects', { name: 'A second one' });
    const before = await readState(program);
    await stop(program);
    const rejected = await runToEnd(['restore', file, '--storage', storage], env);
    expect([rejected.code, rejected.output]).toEqual([
      1,
      expect.stringMatching(/is not empty, and nothing was changed/),
    ]);
    const restarted = await startServer(['--storage', storage], env);
    expect(await readState(restarted)).toEqual(before);
    await stop(restarted);
    expect((await runToEnd(['restore', file, '--force', '--storage', storage], env)).code).toBe(0);
    const restored = await readState(await startServer(['--storage', storage], env));
    expect(restored.projects.map(({ name }) => name)).toEqual(['Shop']);
  });

  test('restore rejects a truncated or damaged backup with one line and changes nothing', async () => {
    const file = await aBackup();
    const whole = await readFile(file);
    const target = join(await temporaryFolder(), 'new');
    await truncate(file, whole.length - 5);
    const short = await runToEnd(['restore', file, '--storage', `file:${target}`], env);
    expect([short.code, short.output]).toEqual([
      1,
      expect.stringMatching(/^service-server: .* is cut short at byte \d+: .*\n$/),
    ]);
    whole[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 1;
    await writeFile(file, whole);
    const damaged = await runToEnd(['restore', file, '--storage', `file:${target}`], env);
    expect([damaged.code, damaged.output]).toEqual([
      1,
      expect.stringMatching(/^service-server: .* is damaged at byte \d+\. .*\n$/),
    ]);
    await expect(stat(target)).rejects.toThrow('ENOENT');
  });
});

describe.skipIf(!hasRedis)('service-server backup on Redis', () => {
  test('backup reads Redis even if its server cannot be reached, and restores to another Redis', async () => {
    const { url } = await startRedis();
    const { program } = await startUsed(url);
    const before = await readState(program);
    const file = await newFile();
    // The environment of another machine.
    const elsewhere = { XDG_RUNTIME_DIR: await temporaryFolder(), TMPDIR: await temporaryFolder() };
    const { code, output } = await runToEnd(['backup', file, '--storage', url], elsewhere);
    expect([code, output]).toEqual([0, expect.stringContaining('1 project, 2 groups')]);
    const rejected = await runToEnd(['restore', file, '--force', '--storage', url], elsewhere);
    expect([rejected.code, rejected.output]).toEqual([1, expect.stringContaining('another server')]);
    await stop(program);
    const other = await startRedis();
    expect((await runToEnd(['restore', file, '--storage', other.url], elsewhere)).code).toBe(0);
    expect(await readState(await startServer(['--storage', other.url], env))).toEqual(before);
  });
});

test('a server does not remove the socket of another process', async () => {
  const storage = await folderStorage();
  const { program } = await startUsed(storage);
  const folder = join(env.XDG_RUNTIME_DIR ?? '', `service-server-${process.getuid?.()}`);
  const [name = ''] = await readdir(folder);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await stop(program);
  expect(await readdir(folder)).toEqual([]);
  const other = createServer().listen(join(folder, name));
  await new Promise((resolve) => other.once('listening', resolve));
  const second = await startServer(['--storage', storage], env);
  await stop(second);
  expect(await readdir(folder)).toEqual([name]);
  other.close();
});

describe('service-server plan', () => {
  const plans = JSON.stringify([
    { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 5, ai_quota: 1 },
    { id: 'pro', name: 'Pro', price: 900, currency: 'EUR', error_quota: 500, ai_quota: 50 },
  ]);
  beforeEach(() => (env = { ...env, SERVICE_PLANS: plans, SERVICE_PLAN: 'free' }));

  test('plan changes the plan of a team on a running server immediately', async () => {
    const storage = await folderStorage();
    const { program } = await startUsed(storage);
    const printed = await runToEnd(['plan', 'Operator', 'pro', '--storage', storage], env);
    expect([printed.code, printed.output]).toEqual([0, 'Team 1 (Operator) has the plan pro (Pro).\n']);
    expect(await call(program, 'GET', 'auth/me')).toMatchObject({ team: { id: 1, plan: 'pro' } });
  });

  test('plan changes the storage directly if no server runs', async () => {
    const storage = await folderStorage();
    const { program } = await startUsed(storage);
    await stop(program);
    expect((await runToEnd(['plan', '1', 'pro', '--storage', storage], env)).output).toContain('has the plan pro');
    const restarted = await startServer(['--storage', storage], env);
    expect(await call(restarted, 'GET', 'auth/me')).toMatchObject({ team: { plan: 'pro' } });
  });

  test.each([true, false])(
    'plan lists the existing teams or plans for an unknown one (a server runs: %s)',
    async (isRunning) => {
      const storage = await folderStorage();
      const { program } = await startUsed(storage);
      if (!isRunning) await stop(program);
      for (const [team, plan, message] of [
        ['Unknown', 'pro', 'There is no team with this id or exact name. The teams are: 1 (Operator).'],
        ['1', 'gold', 'There is no plan with this id. The plans are: free, pro.'],
      ] as const) {
        const { code, output } = await runToEnd(['plan', team, plan, '--storage', storage], env);
        expect([code, output]).toEqual([1, `service-server: ${message}\n`]);
      }
    },
  );

  test.skipIf(!hasRedis)('plan on Redis requires the server of this machine', async () => {
    const { url } = await startRedis();
    await startUsed(url);
    expect((await runToEnd(['plan', '1', 'pro', '--storage', url], env)).code).toBe(0);
    const elsewhere = { ...env, XDG_RUNTIME_DIR: await temporaryFolder() };
    const { code, output } = await runToEnd(['plan', '1', 'free', '--storage', url], elsewhere);
    expect([code, output]).toEqual([1, expect.stringContaining('Run this where the server runs.')]);
  });
});

describe('service-server fingerprint', () => {
  const stack = [
    "TypeError: Cannot read properties of undefined (reading 'price')",
    '    at Cart.total (https://shop.example/src/cart.js:20:5)',
    '    at Array.map (<anonymous>)',
    '    at https://cdn.example/tag.js:1:7',
    'Caused by: Error: \u001b[31mno cart',
  ].join('\n');
  const url = 'https://shop.example/cart';

  async function fingerprintOf(text: string): Promise<string> {
    const file = join(await temporaryFolder(), 'stack.txt');
    await writeFile(file, text);
    const { code, output } = await runToEnd(['fingerprint', file], { ...env, SERVICE_PORT: 'none' });
    expect(code).toBe(0);
    return output;
  }

  test('fingerprint prints the rule, the hashed components and the parsed frames', async () => {
    expect(await fingerprintOf(JSON.stringify({ stacktrace: stack, url }))).toMatch(
      new RegExp(
        [
          'Fingerprint  [0-9a-f]{32}',
          'Rule         file \\(version 2\\)',
          'Component 1  "src/cart.js"',
          'Component 2  "total"',
          'Component 3  "Error: .*"',
          'Culprit      total \\(src/cart.js\\)',
          'Type         TypeError',
          "Message      TypeError: Cannot read properties of undefined \\(reading 'price'\\)",
          'Cause        Error: \u{FFFD}\\[31mno cart',
          '',
          'Frames, top first \\(\\*: of the app\\)',
          '  \\* Cart.total  https://shop.example/src/cart.js:20:5',
          '    Array.map  -',
          '    -  https://cdn.example/tag.js:1:7',
          '$',
        ].join('\n'),
        'u',
      ),
    );
  });

  test('fingerprint prints the fingerprint that a server assigns to the same report', async () => {
    const { program, api_key } = await startUsed(await folderStorage());
    const sent = { stacktrace: stack, url };
    const { fingerprint } = await call<{ fingerprint: string }>(program, 'POST', 'errors', {
      ...sent,
      project_api_key: api_key,
    });
    expect(await fingerprintOf(JSON.stringify(sent))).toContain(fingerprint);
  });

  test('fingerprint reads a raw stack trace, also of Python', async () => {
    expect(await fingerprintOf(stack)).toContain('"src/cart.js"');
    const python = 'Traceback (most recent call last):\n  File "/app/cart.py", line 3, in total\nKeyError: 1\n';
    expect(await fingerprintOf(python)).toContain('Culprit      total (app/cart.py)');
    expect(await fingerprintOf('{ it is no JSON')).toContain('No line was read as a frame.');
  });

  test('fingerprint reads standard input', async () => {
    const { child, exited, output } = await run(['fingerprint', '-'], env);
    child.stdin?.end(stack);
    expect([await exited, output()]).toEqual([0, expect.stringContaining('total (src/cart.js)')]);
  });

  test('fingerprint rejects a report that a server would reject', async () => {
    const file = join(await temporaryFolder(), 'report.json');
    await writeFile(file, '{ "message": 5 }');
    const { code, output } = await runToEnd(['fingerprint', file], env);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^service-server: \S+report\.json is not a report: [^\n]+\n$/),
    ]);
  });
});

describe('service-server --help', () => {
  test('--help lists every setting, and prints colors only to a terminal', async () => {
    const { code, output } = await runToEnd(['--help']);
    expect(code).toBe(0);
    for (const name of Object.keys(Config.shape) as (keyof Config)[]) expect(output).toContain(variableName(name));
    for (const flag of Object.values(flagNames)) expect(output).toContain(flag);
    expect(output).toContain('service.config.json');
    expect(output).toBe(stripVTControlCharacters(output));
  });

  test.each(['backup', 'restore', 'plan', 'fingerprint'])(
    '%s --help prints its usage without the settings of the server',
    async (name) => {
      const { code, output } = await runToEnd([name, '--help']);
      expect(code).toBe(0);
      expect(output).toMatch(new RegExp(`USAGE service-server ${name} `));
      expect(output).not.toContain('SERVICE_LOG_LEVEL');
    },
  );
});
