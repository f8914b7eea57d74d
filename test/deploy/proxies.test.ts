import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { adminToken, startServer } from '../test-utils/server-process.ts';
import { isFull } from '../test-utils/depth.ts';
import { freePort } from '../test-utils/free-port.ts';

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
const mapBytes = (isFull ? 50 : 5) * 1024 * 1024;
const ended: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

interface Proxy {
  program: string;
  /** Writes the configuration and returns the command. */
  command(folder: string, port: number, serverUrl: string): Promise<string[]>;
}

const nginx: Proxy = {
  program: '/usr/sbin/nginx',
  async command(folder, port, serverUrl) {
    const service = (await readFile(join(deploy, 'nginx/service.conf'), 'utf8'))
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace(/ssl_certificate .*/, `ssl_certificate ${folder}/cert.pem;`)
      .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${folder}/key.pem;`)
      .replace('http://127.0.0.1:4400', serverUrl);
    // The files that the package of Debian would put below /var.
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const whole = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${paths.join(' ')}\n${service}\n}`;
    await writeFile(join(folder, 'nginx.conf'), whole);
    return ['/usr/sbin/nginx', '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
  },
};

const caddy: Proxy = {
  program: '/usr/bin/caddy',
  async command(folder, port, serverUrl) {
    const site = (await readFile(join(deploy, 'caddy/Caddyfile'), 'utf8'))
      .replace('errors.example.com {', `https://localhost:${port} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`)
      .replace('127.0.0.1:4400', serverUrl.replace('http://', ''));
    // No port for the administration, and no redirects from port 80: only root may listen there.
    await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
    return ['/usr/bin/caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  },
};

describe.each([
  ['nginx', nginx],
  ['Caddy', caddy],
])('behind %s, with the configuration in deploy', (name, proxy) => {
  const isInstalled =
    spawnSync(proxy.program, ['--help']).error === undefined && spawnSync('openssl', ['version']).status === 0;
  if (!isInstalled) console.warn(`${name} or openssl is missing, so the server is not tested behind it.`);

  test.runIf(isInstalled)('events, large uploads and client addresses pass through', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-proxy-'));
    ended.push(() => rm(folder, { recursive: true, force: true }));
    const server = await startServer(`file:${join(folder, 'data')}`, [], { SERVICE_TRUST_PROXY: 'loopback' });
    ended.push(() => server.kill());
    const send = await startProxy(proxy, folder, server.url);

    const { body: project } = await server.call('POST', 'projects', { name: 'Shop' });
    const stream = await send('GET', `/api/v1/stream?project_id=${String(project.id)}`);
    expect(stream.status).toBe(200);
    // The event arrives while the stream is open: nothing waits for its end.
    const event = stream.until(/group\.created/);
    const report = await send('POST', '/api/v1/errors', {
      type: 'application/json',
      body: Buffer.from(JSON.stringify({ project_api_key: project.api_key, message: 'Behind a proxy' })),
    });
    expect(report.status).toBe(200);
    await event;

    const upload = await send('POST', `/api/v1/projects/${String(project.id)}/source-maps`, mapOf(mapBytes));
    expect([upload.status, await upload.text()]).toEqual([201, expect.stringContaining('"file":"app.js"')]);

    // Wrong passwords count by the address that the proxy has seen, not by one that the client claims.
    const attempt = (forwarded: string, email: string): Promise<Answer> =>
      send('POST', '/api/v1/auth/login', {
        type: 'application/json',
        body: Buffer.from(JSON.stringify({ email, password: 'wrong password' })),
        headers: { 'x-forwarded-for': forwarded },
      });
    const statuses: number[] = [];
    for (let index = 0; index < 11; index++)
      statuses.push((await attempt(`203.0.113.${index}`, 'ada@shop.example')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });
});

interface Answer {
  status: number;
  text(): Promise<string>;
  /** Resolves once the received text matches. */
  until(pattern: RegExp): Promise<void>;
}

interface Content {
  type: string;
  body: Buffer;
  headers?: Record<string, string>;
}

type Send = (method: string, path: string, content?: Content) => Promise<Answer>;

/** Starts a proxy with a new certificate, and returns a client of it. */
async function startProxy(proxy: Proxy, folder: string, serverUrl: string): Promise<Send> {
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,DNS:errors.example.com'];
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...files,
    ...names,
  ]);
  expect(made.status).toBe(0);
  const port = await freePort();
  const [command = '', ...args] = await proxy.command(folder, port, serverUrl);
  await mkdir(join(folder, 'home'));
  const child = spawn(command, args, { env: { ...process.env, HOME: join(folder, 'home') }, stdio: 'ignore' });
  ended.push(() => stop(child));
  const agent = new Agent({ ca: await readFile(join(folder, 'cert.pem')), servername: 'localhost' });
  ended.push(async () => agent.destroy());
  const send = client(port, agent);
  await expect.poll(async () => (await send('GET', '/healthz').catch(() => null))?.status).toBe(200);
  return send;
}

function client(port: number, agent: Agent): Send {
  return (method, path, content) =>
    new Promise((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port,
        path,
        method,
        agent,
        headers: {
          host: 'localhost',
          authorization: `Bearer ${adminToken}`,
          ...(content && { 'content-type': content.type, 'content-length': content.body.length, ...content.headers }),
        },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (chunk: string) => void (received += chunk));
        const end = once(response, 'end');
        ended.push(async () => response.destroy());
        end.catch(() => undefined);
        resolve({
          status: response.statusCode ?? 0,
          text: async () => {
            await end;
            return received;
          },
          until: async (pattern) => expect.poll(() => received).toMatch(pattern),
        });
      });
      sent.end(content?.body);
    });
}

/** Returns a form with a source map of this size, which compression hardly shrinks. */
function mapOf(bytes: number): Content {
  const source = `// ${randomBytes((bytes / 4) * 3).toString('base64')}`;
  const map = {
    version: 3,
    file: 'app.js',
    sources: ['app.ts'],
    sourcesContent: [source],
    names: [],
    mappings: 'AAAA',
  };
  const boundary = 'a-boundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="app.js.map"\r\nContent-Type: application/json\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.from(`${head}${JSON.stringify(map)}\r\n--${boundary}--\r\n`),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
