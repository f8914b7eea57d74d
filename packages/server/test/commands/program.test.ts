import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { killPrograms, startServer, run, runToEnd, token, type Program } from './program.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { hasSqlite } from '../storage/has-sqlite.ts';
import { createDatabase, hasPostgres, stopPostgresServers } from '../storage/postgres-server.ts';

afterEach(async () => {
  killPrograms();
  await cleanUp();
});
afterAll(stopPostgresServers);

/** True if processes can be started in a new PID namespace, as in a container. */
const hasNamespaces = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

/** Returns the files that a process has run, which Node records in the folder of NODE_V8_COVERAGE. */
async function filesIn(coverage: string): Promise<string[]> {
  const [name = ''] = await readdir(coverage);
  const { result } = JSON.parse(await readFile(join(coverage, name), 'utf8')) as { result: { url: string }[] };
  return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
}

describe('service-server', () => {
  test('service-server prints its address, its storage and, on the first start only, how to sign in', async () => {
    const storage = `file:${await temporaryFolder()}`;
    const first = await startServer(['--storage', storage]);
    // The password is printed once it is durable, which may be after the port is open.
    await expect
      .poll(first.output)
      .toMatch(
        /^Listening: http:\/\/127\.0\.0\.1:\d+\nStorage: file:.* \(.*power loss\)\nSign in: http\S+#sign-in=\S+\nOwner: admin@localhost, password \S+ /,
      );
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
    first.child.kill('SIGTERM');
    expect(await first.exited).toBe(0);
    const second = await startServer(['--storage', storage]);
    expect(second.output()).not.toContain('Sign in');
  });

  test('service-server prints the password before it stops, even if stopped early', async () => {
    const { child, exited, output } = await startServer(['--storage', `file:${await temporaryFolder()}`]);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(output()).toMatch(/\nOwner: admin@localhost, password \S+ /);
  });

  test('service-server loads only a few of its files, and no package, before the first request', async () => {
    const coverage = await temporaryFolder();
    const { child, exited, output } = await startServer(['--storage', `file:${await temporaryFolder()}`], {
      NODE_V8_COVERAGE: coverage,
    });
    await expect.poll(output).toContain('Owner: ');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    const own = new URL('../../', import.meta.url).href;
    const loaded = (await filesIn(coverage)).map((url) => (url.startsWith(own) ? url.slice(own.length) : url));
    expect(loaded.length).toBeLessThanOrEqual(10);
    expect(loaded.filter((file) => !/^(bin|dist)\/[^/]+$/.test(file))).toEqual([]);
    expect(loaded.filter((file) => /built-in|memory/.test(file))).toEqual([]);
  });

  test('service-server starts without a project', async () => {
    const { url } = await startServer(['--storage', 'memory:']);
    const response = await fetch(`${url}/api/v1/projects`, { headers: { authorization: `Bearer ${token}` } });
    expect(await response.json()).toEqual([]);
  });

  test.each([
    [['--port', 'abc'], '--port: expected a port number from 0 to 65535'],
    [['--cors-origin', 'nonsense'], '--cors-origin: expected origins such as'],
    [['--prot', '80'], "Unknown option '--prot'"],
    [['extra'], 'extra'],
  ])('service-server %j prints one error line and exits with 1', async (args, message) => {
    const { exited, output } = await run(args);
    expect(await exited).toBe(1);
    expect(output()).toContain(`service-server: `);
    expect(output()).toContain(message);
    expect(output().trim().split('\n')).toHaveLength(1);
  });

  test('a port in use ends the start with one line and exit code 1, and the next start prints how to sign in', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const storage = `file:${await temporaryFolder()}`;
    const { exited, output } = await run(['--port', String(port), '--storage', storage]);
    expect(await exited).toBe(1);
    expect(output()).toMatch(
      /^service-server: Port \d+ is in use\. Choose another with --port or SERVICE_PORT, or stop the process that uses it\.\n$/,
    );
    other.close();
    const next = await startServer(['--storage', storage]);
    await expect.poll(next.output).toMatch(/\nSign in: http\S+#sign-in=\S+\nOwner: admin@localhost, password \S+ /);
  });

  test.skipIf(!hasPostgres)(
    'on PostgreSQL, a start whose port is in use or the next start prints the password',
    async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => other.once('listening', resolve));
      const { port } = other.address() as AddressInfo;
      const storage = await createDatabase();
      const env = { XDG_RUNTIME_DIR: await temporaryFolder() };
      const failed = await runToEnd(['--port', String(port), '--storage', storage], env);
      expect(failed).toEqual({ code: 1, output: expect.stringMatching(/service-server: Port \d+ is in use.*\n$/) });
      other.close();
      const next = await startServer(['--storage', storage], env);
      await expect.poll(() => failed.output + next.output()).toMatch(/Owner: admin@localhost, password \S+ /);
      next.child.kill('SIGTERM');
      expect(await next.exited).toBe(0);
    },
  );

  test('an address of another machine ends the start with one line that names the flags', async () => {
    const { exited, output } = await run(['--host', '192.0.2.1', '--storage', 'memory:']);
    expect(await exited).toBe(1);
    expect(output()).toMatch(
      /^service-server: The server cannot listen on 192\.0\.2\.1, port 4400 \(.+--host and --port\.\n$/,
    );
  });

  test('an unknown variable is reported, and the server starts', async () => {
    const { output, url } = await startServer(['--storage', 'memory:'], {
      SERVICE_REGISTRATON: 'open',
      SERVICE_LOG_LEVEL: 'info',
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(output().match(/^service-server: .*$/gm)).toEqual([
      'service-server: SERVICE_REGISTRATON is not a setting and has no effect (--help lists all settings)',
    ]);
  });

  test('a second server on the same folder names the process that uses it', async () => {
    const storage = `file:${await temporaryFolder()}`;
    const first = await startServer(['--storage', storage]);
    const second = await run(['--port', '0', '--storage', storage]);
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(`in use by process ${first.child.pid}`);
  });

  test.skipIf(!hasNamespaces)(
    'a second server in another container is rejected too, and a dead server blocks no other',
    async () => {
      const storage = `file:${await temporaryFolder()}`;
      // Process ids start at 1 again in the container.
      const contained = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
      const first = await startServer(['--storage', storage], {}, contained);
      const second = await run(['--port', '0', '--storage', storage]);
      expect(await second.exited).toBe(1);
      expect(second.output()).toMatch(/in use by process \d+\. /);
      first.child.kill('SIGKILL');
      await first.exited;
      await startServer(['--storage', storage]);
    },
  );

  test.skipIf(!hasNamespaces)('a signal during the start ends the first process of a container', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(
      join(folder, 'service.config.js'),
      "console.log('The start waits.'); await new Promise((resolve) => setTimeout(resolve, 600_000)); export default {};",
    );
    const contained = ['sh', '-c', `cd ${folder} && exec unshare --pid --fork --kill-child --mount-proc "$@"`, 'sh'];
    const { child, exited, output } = await run(['--storage', 'memory:'], {}, contained);
    await expect.poll(output, { timeout: 60_000 }).toContain('The start waits.');
    const first = Number(await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'));
    process.kill(first, 'SIGTERM');
    expect(await exited).toBe(143);
  });

  test.skipIf(!hasNamespaces)(
    'a signal while the program is loaded ends the first process of a container',
    async () => {
      // The real file of the command, and a program that takes long to load.
      const folder = await temporaryFolder();
      await Promise.all([mkdir(join(folder, 'bin')), mkdir(join(folder, 'dist'))]);
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      await copyFile(new URL('../../bin/service-server.js', import.meta.url), join(folder, 'bin/service-server.js'));
      await writeFile(
        join(folder, 'dist/cli.js'),
        "console.log('The program is loaded.'); await new Promise((resolve) => setTimeout(resolve, 600_000));",
      );
      const contained = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
      // The program ignores the arguments that `run` appends.
      const command = [...contained, process.execPath, join(folder, 'bin/service-server.js')];
      const { child, exited, output } = await run([], {}, command);
      await expect.poll(output, { timeout: 60_000 }).toContain('The program is loaded.');
      process.kill(Number(await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')), 'SIGTERM');
      expect(await exited).toBe(143);
    },
  );

  // On Node.js 22 the multipart parser was loaded as an empty module after the sockets of the dead server were removed.
  test('a server accepts source maps after kill -9 and after a clean restart', async () => {
    const storage = `file:${await temporaryFolder()}`;
    const authorization = `Bearer ${token}`;
    const start = () => startServer(['--storage', storage]);
    const upload = async ({ url }: Program) => {
      const body = new FormData();
      body.set('file', new Blob(['{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}']), 'app.js.map');
      const path = `${url}/api/v1/projects/1/source-maps`;
      return (await fetch(path, { method: 'POST', headers: { authorization }, body })).status;
    };
    let program = await start();
    const headers = { authorization, 'content-type': 'application/json' };
    await fetch(`${program.url}/api/v1/projects`, { method: 'POST', headers, body: '{"name":"Shop"}' });
    expect(await upload(program)).toBe(201);
    for (const signal of ['SIGKILL', 'SIGKILL', 'SIGTERM'] as const) {
      program.child.kill(signal);
      await program.exited;
      program = await start();
      expect([signal, await upload(program)]).toEqual([signal, 200]);
    }
  });

  test('a file instead of the storage folder ends the start with one line and exit code 1', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'folder')]) {
      const { exited, output } = await run(['--port', '0', '--storage', `file:${path}`]);
      expect([await exited, output()]).toEqual([
        1,
        `service-server: The storage file:${path} can't be used: a file exists where a folder is expected.\n`,
      ]);
    }
  });

  test.skipIf(!hasSqlite)(
    'service-server on SQLite is as durable as on files, and rejects a second server',
    async () => {
      const file = join(await temporaryFolder(), 'new', 'all.db');
      const first = await startServer(['--storage', `sqlite:${file}`]);
      expect(first.output()).toContain(`sqlite:${file} (an acknowledged report survives a crash and a power loss)`);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const second = await run(['--port', '0', '--storage', `sqlite:${file}`]);
      expect(await second.exited).toBe(1);
      expect(second.output()).toContain(`${file} is in use by process ${first.child.pid}`);
    },
  );

  test('a repeated --cors-origin allows each of the origins', async () => {
    const { url } = await startServer([
      '--storage',
      'memory:',
      '--cors-origin',
      'https://a.example',
      '--cors-origin',
      'https://b.example',
    ]);
    for (const [origin, status] of [
      ['https://a.example', 204],
      ['https://b.example', 204],
      ['http://localhost', 403],
    ] as const) {
      const response = await fetch(`${url}/api/v1/errors`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect([origin, response.status]).toEqual([origin, status]);
    }
  });

  test('SIGTERM lets pending requests finish, then the server exits with 0', async () => {
    const { child, url, exited } = await startServer(['--storage', `file:${await temporaryFolder()}`]);
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.once('connect', resolve));
    const body = JSON.stringify({ name: 'Shop' });
    const head = `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    // The head and half of the body, so that the request has certainly begun when the signal arrives.
    socket.write(head + body.slice(0, 5));
    await fetch(`${url}/healthz`);
    child.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(`${url}/healthz`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    let response = '';
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.write(body.slice(5));
    expect(await exited).toBe(0);
    expect(response).toContain('201');
    expect(response).toContain('"name":"Shop"');
  });

  test('SIGTERM closes a busy connection after its response, even if more requests follow', async () => {
    const { child, url, exited } = await startServer(['--storage', 'memory:']);
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.once('connect', resolve));
    let response = '';
    let failure: Error | null = null;
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.on('error', (error) => (failure = error));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    const head = `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const body = '{"name":"Shop"}';
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n{`);
    await fetch(`${url}/healthz`);
    child.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(`${url}/healthz`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    socket.write(`${body.slice(1)}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);
    await ended;
    expect(await exited).toBe(0);
    expect(failure).toBeNull();
    expect(response).toMatch(/^HTTP\/1\.1 201 [^]*\r\nconnection: close\r\n/i);
    expect(response.match(/HTTP\/1\.1 (?!201|503)/g)).toBeNull();
  });

  test('SIGTERM closes a connection without a request immediately, while it waits for a request in flight', async () => {
    const { child, url, exited } = await startServer(['--storage', 'memory:']);
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.once('connect', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    const busy = connect(Number(port), hostname);
    let response = '';
    busy.on('data', (chunk: Buffer) => (response += chunk.toString()));
    const body = '{"name":"Shop"}';
    const head = `POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    busy.write(`${head}Content-Length: ${body.length}\r\n\r\n{`);
    await fetch(`${url}/healthz`);
    child.kill('SIGTERM');
    await closed;
    // The limit that destroys all connections would have closed both, and this request would get no response.
    busy.write(body.slice(1));
    expect(await exited).toBe(0);
    expect(response).toMatch(/^HTTP\/1\.1 201 /);
  });

  test('a connection stays usable after a body that could not be decompressed', async () => {
    const { url } = await startServer(['--storage', 'memory:']);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (path: string, body: Buffer, headers: Record<string, string>): Promise<number> =>
      new Promise((resolve, reject) => {
        const sent = request(`${url}${path}`, { method: 'POST', agent, headers }, (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        });
        sent.on('error', reject);
        sent.end(body);
      });
    const json = { 'content-type': 'application/json' };
    for (let round = 0; round < 3; round++) {
      expect(await post('/api/v1/errors', Buffer.alloc(300_000, 'x'), { ...json, 'content-encoding': 'gzip' })).toBe(
        400,
      );
      expect(await post('/api/v1/errors', Buffer.alloc(2_000_000, 'x'), json)).toBe(413);
      expect(await post('/api/v1/errors', Buffer.alloc(2_000_000), { ...json, 'content-encoding': 'gzip' })).toBe(413);
      expect(await post('/api/v1/errors', Buffer.from('{}'), json)).toBe(422);
    }
    agent.destroy();
  });

  test('invalid HTTP and oversized headers are rejected with JSON', async () => {
    const { url } = await startServer(['--storage', 'memory:']);
    const { port, hostname } = new URL(url);
    const send = (text: string): Promise<string> =>
      new Promise((resolve) => {
        let response = '';
        const socket = connect(Number(port), hostname, () => socket.write(text));
        socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
        socket.on('close', () => resolve(response));
      });
    expect(await send('GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*"code":"bad_request"/);
    expect(await send('POST / HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*"code":"bad_request"/,
    );
    expect(await send('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*"code":"bad_request"/);
    expect(await send(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 [^]*"code":"headers_too_large"/,
    );
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});
