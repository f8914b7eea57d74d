import { afterEach, describe, expect, test } from 'vitest';
import { StandbyProcess } from '../../src/symbolication/workers/standby-process.ts';

const file = new URL('child-process.mjs', import.meta.url);
const patienceMs = 20_000;
const opened: StandbyProcess[] = [];

function open(idleMs = 60_000): StandbyProcess {
  const standby = new StandbyProcess(file, { idleMs, nodeFlags: ['--max-old-space-size=32'] });
  opened.push(standby);
  return standby;
}

afterEach(async () => {
  for (const standby of opened.splice(0)) await standby.close();
});

interface ChildResponse {
  action: string;
  pid: number;
  env: string[];
  numbers: Uint32Array;
}

const ask = (standby: StandbyProcess, action: string, limitMs = patienceMs): Promise<ChildResponse> =>
  standby.ask<ChildResponse>({ action }, limitMs);

describe('a standby process', () => {
  test('responds to several requests', async () => {
    const standby = open();
    const { pid } = await ask(standby, 'one');
    expect(await ask(standby, 'two')).toMatchObject({ action: 'two', pid });
    expect(pid).not.toBe(process.pid);
  });

  test('returns typed arrays, and gets no environment variable of the server', async () => {
    process.env.SERVICE_TEST_SECRET = 'secret';
    try {
      const { numbers, env } = await ask(open(), 'one');
      expect(numbers).toEqual(new Uint32Array([1, 2 ** 32 - 1]));
      expect(env.filter((name) => name !== 'SystemRoot' && !name.startsWith('NODE_CHANNEL'))).toEqual([]);
    } finally {
      delete process.env.SERVICE_TEST_SECRET;
    }
  });

  test.each([['die'], ['abort'], ['throw'], ['eat']])(
    'that fails by "%s" does not end the server and is replaced',
    async (how) => {
      const standby = open();
      const { pid } = await ask(standby, 'one');
      await expect(ask(standby, how)).rejects.toThrow('exited before it responded');
      expect((await ask(standby, 'one')).pid).not.toBe(pid);
    },
  );

  test('that is killed between two requests is replaced', async () => {
    const standby = open();
    const { pid } = await ask(standby, 'one');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await ask(standby, 'one')).pid).not.toBe(pid);
  });

  test('that hangs is killed and replaced', async () => {
    const standby = open();
    const { pid } = await ask(standby, 'one');
    await expect(ask(standby, 'hang', 50)).rejects.toThrow('did not respond within 50 ms');
    expect(isAlive(pid)).toBe(false);
    expect((await ask(standby, 'one')).pid).not.toBe(pid);
  });

  test('that cannot be started rejects the request', async () => {
    const standby = new StandbyProcess(file, { idleMs: 1_000, nodeFlags: ['--no-such-flag'] });
    await expect(ask(standby, 'one')).rejects.toThrow('exited before it responded');
  });

  test('exits when it is idle, and is started again', async () => {
    const standby = open(0);
    const { pid } = await ask(standby, 'one');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await ask(standby, 'one')).pid).not.toBe(pid);
  });

  test('that is closed during a request leaves no caller waiting', async () => {
    const standby = open();
    const response = ask(standby, 'hang');
    await Promise.all([expect(response).rejects.toThrow('exited before it responded'), standby.close()]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
