import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '../../packages/server/bin/service-server.js');
const adminToken = 'the-token-of-the-pictures';
export const owner = { email: 'maren@roastery.example', password: 'correct horse battery' };

/**
 * The built server with a clock that `setClock` controls.
 *
 * @typedef {Awaited<ReturnType<typeof startServer>>} PictureServer
 */

/** @param {number} moment */
export async function startServer(moment) {
  const folder = await mkdtemp(join(tmpdir(), 'service-pictures-'));
  const clock = join(import.meta.dirname, 'clock.mjs');
  // The port is fixed because the screenshots show it.
  const child = spawn(process.execPath, ['--import', clock, bin, '--port', '4400', '--storage', `file:${folder}`], {
    env: {
      ...process.env,
      PICTURES_CLOCK: String(moment),
      TZ: 'UTC',
      SERVICE_ADMIN_EMAIL: owner.email,
      SERVICE_ADMIN_PASSWORD: owner.password,
      SERVICE_ADMIN_TOKEN: adminToken,
      SERVICE_LOG_LEVEL: 'error',
      SERVICE_REGISTRATION: 'open',
      SERVICE_PLAN: 'team',
      SERVICE_PLANS: JSON.stringify([
        { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 500, ai_quota: 5 },
        { id: 'team', name: 'Team', price: 1900, currency: 'EUR', error_quota: 2_500, ai_quota: 100 },
        { id: 'business', name: 'Business', price: 7900, currency: 'EUR', error_quota: 100_000, ai_quota: 2_000 },
      ]),
      SERVICE_SANDBOX_SECRET: 'the secret of the pictures',
      SERVICE_SMTP_URL: 'smtp://127.0.0.1:9',
      SERVICE_MAIL_FROM: 'errors@roastery.example',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const [, listening] = /Listening: (\S+)/.exec(output) ?? [];
      if (listening) resolve(listening);
    });
    child.once('exit', () => reject(new Error(`The server did not start.\n${output}`)));
  });

  /**
   * @param {Record<string, string>} credentials
   * @returns {(method: string, path: string, body?: object) => Promise<any>}
   */
  const callAs = (credentials) => async (method, path, body) => {
    const response = await send(method, path, credentials, body);
    return response.status === 204 ? null : response.json();
  };

  /**
   * @param {string} method
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {object} [body]
   */
  async function send(method, path, headers, body) {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  const call = callAs({ authorization: `Bearer ${adminToken}` });
  return {
    url: String(url),
    call,
    /** Signs in with a cookie, like the browser of the owner, and returns a function for requests. */
    async signIn() {
      const session = await send('POST', '/auth/session', { origin: url }, owner);
      return callAs({ origin: url, cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '' });
    },
    /** @param {number} time */
    async setClock(time) {
      const confirmed = once(child, 'message');
      child.send(Math.round(time));
      await confirmed;
    },
    /**
     * @param {number} projectId
     * @param {string} name
     * @param {object} map
     * @param {string} release
     */
    async uploadMap(projectId, name, map, release) {
      const form = new FormData();
      form.set('release', release);
      form.set('file', new Blob([JSON.stringify(map)]), name);
      await call('POST', `/projects/${projectId}/source-maps`, form);
    },
    async stop() {
      child.kill();
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
