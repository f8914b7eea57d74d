import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tokens } from '@service/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { killPrograms, runToEnd, startServer, token, type Program } from './program.ts';

/** The socket of the server is in a separate folder per test. */
let env: NodeJS.ProcessEnv;
let storage: string;

const ann = { email: 'ann@shop.example', password: 'ann has a password' };

beforeEach(async () => {
  env = { XDG_RUNTIME_DIR: await temporaryFolder() };
  storage = `file:${await temporaryFolder()}`;
});
afterEach(async () => {
  killPrograms();
  await cleanUp();
});

/** Calls the API as the owner of the first team, or with another token. Returns status and body. */
async function call<Json = { code?: string }>(
  { url }: Program,
  method: string,
  path: string,
  body?: object,
  as = token,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Json };
}

/** Starts a server with a second team, and signs in its owner. */
async function startWithTeam(): Promise<{ program: Program; tokens: Tokens }> {
  const program = await startServer(['--storage', storage], { ...env, SERVICE_REGISTRATION: 'open' });
  const { body } = await call<Tokens>(program, 'POST', 'auth/register', { ...ann, team_name: 'Shop' });
  return { program, tokens: body };
}

async function stop({ child, exited }: Program): Promise<void> {
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
}

/** Runs a command on the storage, and returns its output. */
async function administer(...args: string[]): Promise<string> {
  const { code, output } = await runToEnd([...args, '--storage', storage], env);
  expect([code, output]).toEqual([0, expect.any(String)]);
  return output;
}

describe('commands of the operator', () => {
  test('a disabled team can neither sign in nor report, until it is enabled', async () => {
    const { program, tokens } = await startWithTeam();
    const as = tokens.access_token;
    const { body: project } = await call<{ api_key: string }>(program, 'POST', 'projects', { name: 'Shop' }, as);
    const report = { project_api_key: project.api_key, message: 'It broke' };
    expect(await administer('disable', 'Shop')).toContain('Team 2 (Shop) is disabled');
    expect(await administer('teams')).toMatch(/2 +Shop +self_hosted +1 +1 +0 +0 +0 +disabled \d{4}-/);
    const rejected = [
      await call(program, 'GET', 'projects', undefined, as),
      await call(program, 'POST', 'auth/login', ann),
      await call(program, 'POST', 'errors', report),
    ];
    expect(rejected.map(({ status, body }) => `${status} ${body.code}`)).toEqual(Array(3).fill('403 team_disabled'));
    expect((await call(program, 'GET', 'projects')).status).toBe(200);
    await administer('enable', '2');
    expect((await call(program, 'POST', 'errors', report)).status).toBe(200);
    expect((await call(program, 'GET', 'projects', undefined, as)).status).toBe(200);
    expect(await runToEnd(['disable', 'Nothing', '--storage', storage], env)).toMatchObject({ code: 1 });
  });

  test('end-sessions and rotate-key revoke access at once, and reset-password replaces the password', async () => {
    const { program, tokens } = await startWithTeam();
    const { body: stream } = await fetch(`${program.url}/api/v1/stream`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    await administer('rotate-key');
    // The stream ends, although its access token would be valid for some more minutes.
    expect(await new Response(stream).text()).toMatch(/"type":"reset",.*"reason":"signed_out"/);
    expect((await call(program, 'GET', 'auth/me', undefined, tokens.access_token)).status).toBe(401);
    const { refresh_token } = tokens;
    const renewed = await call<Tokens>(program, 'POST', 'auth/refresh', { refresh_token });
    expect(renewed.status).toBe(200);
    expect(await administer('end-sessions')).toContain('Ended 1 sessions.');
    expect((await call(program, 'GET', 'auth/me', undefined, renewed.body.access_token)).status).toBe(401);
    const [, password = ''] = /: (\S+) \(shown only now\)/.exec(await administer('reset-password', ann.email)) ?? [];
    expect((await call(program, 'POST', 'auth/login', ann)).status).toBe(401);
    expect((await call(program, 'POST', 'auth/login', { ...ann, password })).status).toBe(200);
  });

  test('the commands work on the storage of a stopped server', async () => {
    const { program } = await startWithTeam();
    await stop(program);
    expect(await administer('teams')).toMatch(/1 +Operator.*\n2 +Shop/);
    expect(await administer('end-sessions')).toContain('Ended 1 sessions.');
    expect(await administer('reset-password', ann.email)).toContain('Password of ann@shop.example: ');
  });

  test('a backup without secrets has no signing key and no sessions, and a restore can end all sessions', async () => {
    const { program, tokens } = await startWithTeam();
    const folder = await temporaryFolder();
    const [all, clean] = [join(folder, 'all.backup'), join(folder, 'clean.backup')];
    await administer('backup', all);
    await administer('backup', clean, '--without-secrets');
    expect(await readFile(all, 'latin1')).toContain('"signing_key"');
    const text = await readFile(clean, 'latin1');
    for (const secret of ['"signing_key"', '"sessions"', '"links"']) expect(text).not.toContain(secret);
    expect(text).toContain(ann.email);
    await stop(program);
    const as = tokens.access_token;
    for (const [file, flags, sessions, status] of [
      [all, [], 'Sessions of the backup that have not expired are valid again', 200],
      [all, ['--end-sessions'], 'The next start ends all sessions of the backup.', 401],
      [clean, [], 'The backup contains no sessions.', 401],
      [clean, ['--end-sessions'], 'The backup contains no sessions.', 401],
    ] as const) {
      const output = await administer('restore', file, '--force', ...flags);
      expect(output).toContain(sessions);
      expect(output.match(/sessions of the backup/gi) ?? []).toHaveLength(file === all ? 1 : 0);
      const restored = await startServer(['--storage', storage], env);
      expect((await call(restored, 'GET', 'auth/me', undefined, as)).status, file).toBe(status);
      expect((await call(restored, 'POST', 'auth/login', ann)).status).toBe(200);
      await stop(restored);
    }
  });
});
