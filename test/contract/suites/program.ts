import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { adminToken } from '../credentials.ts';
import { runCommand, runProgram, waitForUrl } from '../run-program.ts';
import { stopServer, withServer } from '../server-program.ts';
import type { Suite } from '../suite.ts';

/** The server as a program, and as a library. */
export const program: Suite = {
  name: 'program',
  tests: [
    {
      title: 'a wrong setting prints one clear line and exits with 1',
      covers: ['program.wrong_setting', 'program.admin_token'],
      targets: ['program'],
      async run() {
        for (const [args, env, setting] of [
          [['--port', 'abc'], {}, '--port'],
          [['--port', '70000'], {}, '--port'],
          [['--storage', 'nowhere'], {}, '--storage'],
          [['--cors-origin', 'shop.example'], {}, '--cors-origin'],
          [['--color', 'red'], {}, '--color'],
          [[], { SERVICE_PORT: '-1' }, 'SERVICE_PORT'],
          [[], { SERVICE_ADMIN_TOKEN: 'x'.repeat(19) }, 'SERVICE_ADMIN_TOKEN'],
          [[], { SERVICE_CORS_ORIGINS: 'null' }, 'SERVICE_CORS_ORIGINS'],
          [[], { SERVICE_RETENTION_DAYS: 'many' }, 'SERVICE_RETENTION_DAYS'],
        ] as const)
          await runProgram([...args], env, async ({ exited, output }) => {
            expect([args, env, await exited]).toEqual([args, env, 1]);
            expect(output().trim().split('\n')).toHaveLength(1);
            expect(output()).toContain(setting);
            expect(output()).not.toContain('Listening');
          });
      },
    },
    {
      title: 'a flag overrides a variable, a variable the config file, the config file the default',
      covers: ['program.flags', 'program.config_file'],
      targets: ['program'],
      async run() {
        const allowedOrigins = async (url: string): Promise<string[]> => {
          const allowed = [];
          for (const name of ['flag', 'variable', 'file']) {
            const headers = { origin: `https://${name}.example`, 'access-control-request-method': 'POST' };
            const { status } = await fetch(`${url}/api/v1/errors`, { method: 'OPTIONS', headers });
            if (status === 204) allowed.push(name);
          }
          return allowed;
        };
        const flag = ['--cors-origin', 'https://flag.example'];
        const variable = { SERVICE_CORS_ORIGINS: 'https://variable.example' };
        const file = { port: 0, storage: 'memory:', corsOrigins: ['https://file.example'] };
        const json = { 'service.config.json': JSON.stringify(file) };
        const script = { 'service.config.js': `module.exports = ${JSON.stringify(file)};` };
        for (const [args, env, files, allowed] of [
          [flag, variable, json, 'flag'],
          [[], variable, json, 'variable'],
          [[], {}, json, 'file'],
          [[], {}, script, 'file'],
        ] as const)
          await runProgram(
            [...args],
            env,
            async ({ output }) => expect(await allowedOrigins(await waitForUrl(output))).toEqual([allowed]),
            files,
          );
      },
    },
    {
      title: 'only the first start prints a password and a sign-in link, and there is no project',
      covers: [
        'program.first_start',
        'program.no_project',
        'auth.first_owner',
        'program.defaults',
        'auth.links.use',
        'auth.links.once',
      ],
      targets: ['program'],
      async run() {
        await runProgram(['--port', '0'], {}, async ({ output, folder, kill, exited }) => {
          const url = await waitForUrl(output);
          expect(new URL(url).hostname).toBe('127.0.0.1');
          await expect.poll(output).toMatch(/password \S+/);
          const password = /password (\S+)/.exec(output())?.[1];
          const [, link] = /#sign-in=(\S+)/.exec(output()) ?? [];
          const post = (path: string, body: object): Promise<Response> =>
            fetch(`${url}/api/v1/${path}`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            });
          const login = await post('auth/login', { email: 'admin@localhost', password });
          expect(login.status).toBe(200);
          const used = await post('auth/links/use', { token: link });
          expect(used.status).toBe(200);
          const tokens = (await used.json()) as { access_token: string };
          expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
          expect((await post('auth/links/use', { token: link })).status).toBe(401);
          const list = await fetch(`${url}/api/v1/projects`, {
            headers: { authorization: `Bearer ${tokens.access_token}` },
          });
          expect(await list.json()).toEqual([]);
          kill('SIGTERM');
          expect(await exited).toBe(0);
          await runProgram(
            ['--port', '0', '--storage', `file:${join(folder, '.service-data')}`],
            {},
            async (second) => {
              await waitForUrl(second.output);
              expect(second.output()).not.toMatch(/password|sign-in/);
            },
          );
        });
      },
    },
    {
      title: 'on SIGTERM the program finishes requests in flight and exits with 0',
      covers: ['program.sigterm', 'program.sigterm.in_flight'],
      targets: ['program'],
      async run() {
        await withServer('memory:', {}, async ({ url: address, exited, kill }) => {
          const url = new URL(address);
          await fetch(new URL('/healthz', url));
          const socket = connect(Number(url.port), url.hostname);
          const body = JSON.stringify({ name: 'Shop' });
          let response = '';
          socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
          // With Expect: 100-continue the server confirms that it is reading the request.
          socket.write(
            `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nAuthorization: Bearer ${adminToken}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
          );
          await expect.poll(() => response).toContain('100 Continue');
          kill('SIGTERM');
          await expect
            .poll(() =>
              fetch(new URL('/healthz', url)).then(
                () => 'open',
                () => 'closed',
              ),
            )
            .toBe('closed');
          socket.write(body);
          expect(await exited).toBe(0);
          expect(response).toMatch(/HTTP\/1\.1 201/);
        });
      },
    },
    {
      title: 'a second server on the same folder exits and names the process that holds it',
      covers: ['program.second'],
      targets: ['program'],
      async run(context) {
        await context.fixture('project');
        await runProgram(['--port', '0', '--storage', `file:${context.folder}`], {}, async ({ exited, output }) => {
          expect(await exited).toBe(1);
          expect(output()).toMatch(/process \d+/);
          expect(output().trim().split('\n')).toHaveLength(1);
        });
        expect((await context.report()).status).toBe(200);
      },
    },
    {
      title: 'a SQLite database survives a restart and is held by one server',
      covers: ['program.sqlite', 'program.second'],
      targets: ['sqlite'],
      async run() {
        // Relative to the working folder of the program.
        await withServer('sqlite:data/service.db', {}, async (first) => {
          const project = await first.send(201, 'POST', 'projects', { body: { name: 'Shop' } });
          const report = { token: null, body: { project_api_key: project.api_key, message: 'It broke' } };
          await first.send(200, 'POST', 'errors', report);

          const storage = `sqlite:${join(first.folder, 'data', 'service.db')}`;
          const env = { SERVICE_ADMIN_TOKEN: adminToken };
          const second = await runCommand(['--port', '0', '--storage', storage], env);
          expect([second.code, second.output]).toEqual([
            1,
            expect.stringMatching(new RegExp(`process ${first.pid}\\b.*\n$`, 'i')),
          ]);
          await stopServer(first);
          await withServer(storage, {}, async ({ send }) => {
            expect(await send(200, 'POST', 'errors', report)).toMatchObject({ is_new_group: false });
            const groups = await send(200, 'GET', 'errors');
            expect(groups.items).toMatchObject([{ project_id: project.id, message: 'It broke', count: 2 }]);
          });
        });
      },
    },
    {
      title: 'a program can embed the service',
      covers: ['program.library'],
      targets: ['memory'],
      async run() {
        const { createService } = await import('../../../packages/server/src/index.ts');
        const service = await createService({ storage: 'memory:', port: 0, logLevel: 'silent' });
        expect((await service.fetch(new Request('http://x/healthz'))).status).toBe(200);
        expect((await service.app.request('/healthz')).status).toBe(200);
        const { url } = await service.listen();
        expect((await fetch(`${url}/healthz`)).status).toBe(200);
        await service.close();
        await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
      },
    },
  ],
};
