import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { Json, RequestOptions } from '../api-call.ts';
import { freshEmail, password, sandboxSecret } from '../credentials.ts';
import { paymentEvent, planSettings, sandboxRequest } from '../payment-events.ts';
import { runCommand } from '../run-program.ts';
import { stopServer, withServer, type ServerProgram } from '../server-program.ts';
import { withFolder } from '../with-folder.ts';
import { mapForm } from '../source-map-form.ts';
import type { Suite } from '../suite.ts';

/** Creates a project with an active, a resolved and a deleted group. */
async function seed({ send }: ServerProgram): Promise<{ project: Json; report: (message: string) => RequestOptions }> {
  const project = await send(201, 'POST', 'projects', { body: { name: 'Shop' } });
  const report = (message: string): RequestOptions => ({
    token: null,
    body: { project_api_key: project.api_key, message },
  });
  for (const message of ['one', 'two', 'two', 'three']) await send(200, 'POST', 'errors', report(message));
  await send(200, 'PATCH', 'errors/1/status', { body: { status: 'resolved' } });
  await send(204, 'DELETE', 'errors/3');
  return { project, report };
}

/** Reads everything that the owner can see. */
async function readAll({ send }: ServerProgram): Promise<Json[]> {
  const all = [];
  for (const path of ['auth/me', 'members', 'projects', 'projects/1/facets', 'projects/1/source-maps', 'errors'])
    all.push(await send(200, 'GET', path));
  for (const { error_group_id: id } of all.at(-1).items)
    all.push(await send(200, 'GET', `errors/${id}`), await send(200, 'GET', `errors/${id}/reports`));
  return all;
}

/** Asserts exit code 1 and exactly one line of output. */
function expectOneLineError({ code, output }: { code: number | null; output: string }, line: RegExp): void {
  expect([code, output]).toEqual([1, expect.stringMatching(/^service-server: [^\n]+\n$/)]);
  expect(output).toMatch(line);
}

/** The commands that run next to the server. */
export const commands: Suite = {
  name: 'commands',
  targets: ['program'],
  tests: [
    {
      title: 'restoring a backup elsewhere reproduces the running server',
      covers: ['program.backup'],
      run: () =>
        withFolder(async (folder) => {
          const env = { XDG_RUNTIME_DIR: folder };
          const file = join(folder, 'all.backup');
          const [here, elsewhere] = [`file:${join(folder, 'here')}`, `file:${join(folder, 'elsewhere')}`];
          const { before, project, report, person, token } = await withServer(here, env, async (server) => {
            const { send } = server;
            const filled = await seed(server);
            await send(201, 'POST', `projects/${filled.project.id}/source-maps`, { body: mapForm() });
            const login = { email: freshEmail(), password };
            await send(201, 'POST', 'members', { body: { ...login, role: 'member' } });
            const signedIn = await send(200, 'POST', 'auth/login', { token: null, body: login });
            const made = await send(201, 'POST', 'auth/tokens', { body: { name: 'CI' } });
            const seen = await readAll(server);
            expect(await runCommand(['backup', file, '--storage', here], env)).toMatchObject({ code: 0 });
            // The server keeps accepting reports, and the backup does not contain later ones.
            await send(200, 'POST', 'errors', filled.report('one'));
            await stopServer(server);
            return { ...filled, before: seen, person: signedIn, token: made.token as string };
          });
          expect(await runCommand(['restore', file, '--storage', elsewhere], env)).toMatchObject({ code: 0 });
          await withServer(elsewhere, env, async (server) => {
            const { output, send } = server;
            expect(await readAll(server)).toEqual(before);
            // Sessions, keys and tokens stay valid, and no second owner is created.
            expect(await send(200, 'GET', 'projects', { token: person.access_token })).toEqual([project]);
            expect(await send(200, 'GET', 'projects', { token })).toEqual([project]);
            expect(output()).not.toMatch(/password|sign-in/);
            expect(await send(200, 'POST', 'errors', report('two'))).toMatchObject({ is_new_group: false });
            // The id of the deleted group is not reused.
            expect(await send(200, 'POST', 'errors', report('four'))).toMatchObject({ error_group_id: 4 });
          });
        }),
    },
    {
      title: 'backup, restore and plan fail on memory storage',
      covers: ['program.backup.memory'],
      run: () =>
        withFolder(async (folder) => {
          const env = { XDG_RUNTIME_DIR: folder };
          await withServer('memory:', env, async ({ send }) => {
            for (const command of [
              ['backup', join(folder, 'all.backup')],
              ['restore', join(folder, 'all.backup')],
              ['plan', '1', 'self_hosted'],
            ])
              expectOneLineError(await runCommand([...command, '--storage', 'memory:'], env), /memory:/);
            expect((await readdir(folder)).filter((name) => name.includes('backup'))).toEqual([]);
            await send(200, 'GET', '/readyz');
          });
        }),
    },
    {
      title: 'restore fails while a server runs and works once it has stopped',
      covers: ['program.restore.stopped'],
      run: () =>
        withFolder(async (folder) => {
          const env = { XDG_RUNTIME_DIR: folder };
          const file = join(folder, 'all.backup');
          const storage = `file:${join(folder, 'data')}`;
          const restore = ['restore', file, '--force', '--storage', storage];
          const before = await withServer(storage, env, async (server) => {
            const { report } = await seed(server);
            const seen = await readAll(server);
            expect(await runCommand(['backup', file, '--storage', storage], env)).toMatchObject({ code: 0 });
            await server.send(200, 'POST', 'errors', report('later'));
            const now = await readAll(server);
            expectOneLineError(await runCommand(restore, env), new RegExp(`process ${server.pid}\\b`, 'i'));
            // The lock file rejects it even if the socket cannot be found.
            const lost = { XDG_RUNTIME_DIR: '/nowhere', TMPDIR: '/nowhere' };
            expectOneLineError(await runCommand(restore, lost), new RegExp(`process ${server.pid}\\b`, 'i'));
            expect(await readAll(server)).toEqual(now);
            expect(now).not.toEqual(seen);
            await stopServer(server);
            return seen;
          });
          expect(await runCommand(restore, env)).toMatchObject({ code: 0 });
          await withServer(storage, env, async (server) => expect(await readAll(server)).toEqual(before));
        }),
    },
    {
      title: 'plan changes the plan of a team by id or exact name, immediately and with its usage',
      covers: ['program.plan'],
      run: () =>
        withFolder(async (folder) => {
          const plan = (id: string, error_quota: number): object => {
            return { id, name: id.toUpperCase(), price: 0, currency: 'EUR', error_quota, ai_quota: 1 };
          };
          const plans = JSON.stringify([plan('free', 1), plan('pro', 2), plan('large', 3)]);
          const env = { XDG_RUNTIME_DIR: folder, SERVICE_PLANS: plans, SERVICE_PLAN: 'free' };
          const storage = `file:${join(folder, 'data')}`;
          const setPlan = (team: string, to: string): ReturnType<typeof runCommand> =>
            runCommand(['plan', team, to, '--storage', storage], env);
          await withServer(storage, env, async (server) => {
            const { call, send } = server;
            const body = { email: freshEmail(), password, team_name: 'Shop & Söhne' };
            const { access_token: token } = await send(201, 'POST', 'auth/register', { token: null, body });
            const team = async (): Promise<Json> => (await send(200, 'GET', 'auth/me', { token })).team;
            const { id } = await team();
            expect(await team()).toMatchObject({ name: 'Shop & Söhne', plan: 'free' });
            const { api_key } = await send(201, 'POST', 'projects', { token, body: { name: 'Shop' } });
            const report = async (): Promise<number> =>
              (await call('POST', 'errors', { token: null, body: { project_api_key: api_key, message: 'It broke' } }))
                .status;

            expect([await report(), await report()]).toEqual([200, 429]);
            expect(await setPlan('Shop & Söhne', 'pro')).toMatchObject({ code: 0 });
            expect(await team()).toMatchObject({ id, plan: 'pro' });
            expect([await report(), await report()]).toEqual([200, 429]);
            expect(await setPlan(String(id), 'large')).toMatchObject({ code: 0 });
            expect(await team()).toMatchObject({ id, plan: 'large' });
            expect([await report(), await report()]).toEqual([200, 429]);

            for (const [to, wanted] of [
              ['shop & söhne', 'pro'],
              ['Shop', 'pro'],
              ['900', 'pro'],
              [String(id), 'LARGE'],
              [String(id), 'gold'],
            ] as const)
              expectOneLineError(await setPlan(to, wanted), /there is no (team|plan)/i);
            expect(await team()).toMatchObject({ plan: 'large' });
            // The other team keeps its plan.
            expect((await send(200, 'GET', 'auth/me')).team).toMatchObject({ plan: 'free' });
          });
        }),
    },
    {
      title: 'the plan command overrides a paid plan, and a backup contains the payments',
      covers: ['billing.paid.holds', 'billing.paid.kept', 'program.plan', 'program.backup'],
      run: () =>
        withFolder(async (folder) => {
          const env = {
            XDG_RUNTIME_DIR: folder,
            SERVICE_SANDBOX_SECRET: sandboxSecret,
            SERVICE_PLAN: planSettings.plan,
            SERVICE_PLANS: JSON.stringify(planSettings.plans),
          };
          const file = join(folder, 'all.backup');
          const [here, elsewhere] = [`file:${join(folder, 'here')}`, `file:${join(folder, 'elsewhere')}`];
          const readState = ({ send }: ServerProgram): Promise<Json[]> =>
            Promise.all(['billing/payments/1', 'billing/payments/2', 'auth/me'].map((path) => send(200, 'GET', path)));
          const deliver = ({ send }: ServerProgram, sent: object): Promise<Json> =>
            send(200, 'POST', 'billing/webhook/sandbox', sandboxRequest(sent));
          const event = paymentEvent('succeeded', 1);
          const before = await withServer(here, env, async (server) => {
            for (const plan of ['pro', 'large']) await server.send(201, 'POST', 'billing/checkout', { body: { plan } });
            await deliver(server, event);
            expect((await readState(server))[2]).toMatchObject({ team: { plan: 'pro' } });
            const set = await runCommand(['plan', '1', 'free', '--storage', here], env);
            expect(set).toMatchObject({ code: 0 });
            await deliver(server, event);
            await deliver(server, { ...event, id: 'evt_another' });
            const now = await readState(server);
            expect(now).toMatchObject([{ status: 'paid' }, { status: 'pending' }, { team: { plan: 'free' } }]);
            expect(await runCommand(['backup', file, '--storage', here], env)).toMatchObject({ code: 0 });
            expect(server.output()).not.toContain(sandboxSecret);
            return now;
          });
          expect(await runCommand(['restore', file, '--storage', elsewhere], env)).toMatchObject({ code: 0 });
          await withServer(elsewhere, env, async (server) => {
            expect(await readState(server)).toEqual(before);
            // Events processed before the backup stay processed.
            await deliver(server, { ...event, payment_id: 2 });
            expect(await readState(server)).toEqual(before);
          });
        }),
    },
    {
      title: 'commands use a socket of mode 0600 whose name hides the storage address',
      covers: ['program.socket'],
      run: () =>
        withFolder(async (folder) => {
          const env = { XDG_RUNTIME_DIR: folder };
          const sockets = async (): Promise<string[]> => {
            const entries = await readdir(folder, { recursive: true, withFileTypes: true });
            const found = entries.filter((entry) => entry.isSocket() && !entry.parentPath.includes('data'));
            return found.map((entry) => join(entry.parentPath, entry.name));
          };
          const used: string[] = [];
          const storages = ['first', 'second', 'first'].map((name) => `file:${join(folder, 'data', name)}`);
          for (const storage of storages)
            await withServer(storage, env, async (server) => {
              const [socket = '', ...more] = await sockets();
              expect(more).toEqual([]);
              expect((await stat(socket)).mode & 0o777).toBe(0o600);
              used.push(basename(socket));
              await stopServer(server);
              expect(await sockets()).toEqual([]);
            });
          const [first, second, again] = used;
          expect(again).toBe(first);
          expect(second).not.toBe(first);
          expect(used.join(' ')).not.toMatch(/first|second|data/);
        }),
    },
  ],
};
