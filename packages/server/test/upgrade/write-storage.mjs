// Writes a storage with the server of an earlier commit: its data folder, a backup, and what its API returned.
//
//   node packages/server/test/upgrade/write-storage.mjs SERVER_PACKAGE OUTPUT_FOLDER
//
// SERVER_PACKAGE is `packages/server` of a checkout of that commit, after `npm run setup` there. README.md in this folder
// lists the storages. A storage is never written again: it shows what that server wrote.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const token = 'token-of-the-kept-storages';
const [serverPackage, output] = process.argv.slice(2).map((path) => resolve(path));
const work = await mkdtemp(join(tmpdir(), 'kept-storage-'));
const data = join(work, 'data');
const bin = join(serverPackage, 'bin/service-server.js');

let url = '';
let server = await start();
await writeEverything();
const written = { at: Date.now(), responses: await readEverything() };
await runToEnd(['backup', join(work, 'backup'), '--storage', `file:${data}`]);
await stop(server);
await mkdir(output, { recursive: true });
await cp(data, join(output, 'data'), { recursive: true, filter: (path) => !/lock|socket|\.sock/.test(path) });
if ((await readdir(work)).includes('backup')) await cp(join(work, 'backup'), join(output, 'backup'));
await writeFile(join(output, 'responses.json'), JSON.stringify(written));
await rm(work, { recursive: true, force: true });

async function start() {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/api/v1/`;
  const env = {
    ...process.env,
    SERVICE_ADMIN_TOKEN: token,
    SERVICE_ADMIN_PASSWORD: 'password of the first owner',
    SERVICE_REGISTRATION: 'open',
  };
  const child = spawn(process.execPath, [bin, '--port', String(port), '--storage', `file:${data}`], {
    cwd: work,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) if (String(chunk).includes('Listening')) return child;
  throw new Error('The server did not start.');
}

async function stop(child) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function runToEnd(args) {
  const child = spawn(process.execPath, [bin, ...args], { cwd: work, stdio: 'inherit' });
  const timer = setTimeout(() => child.kill(), 15_000);
  await once(child, 'exit');
  clearTimeout(timer);
}

async function writeEverything() {
  const shop = await call('POST', 'projects', { name: 'Shop' });
  const old = await call('POST', 'projects', { name: 'Removed' });
  await report(old, { message: 'of a removed project' });
  await upload(shop, 'r1', 'src/cart.ts');
  for (const [index, engine] of ['Chrome/140.0.0.0 Safari/537.36', 'Firefox/150.0'].entries())
    for (let count = 0; count < 3; count++) await report(shop, pageError(index, engine, count));
  await report(shop, { ...pageError(0, 'Chrome/140.0.0.0', 9), event_id: '0f8fad5b-d9cb-469f-a165-70867728950e' });
  await report(shop, { ...pageError(0, 'Chrome/140.0.0.0', 9), event_id: '0f8fad5b-d9cb-469f-a165-70867728950e' });
  await report(shop, pythonError());
  await report(shop, { message: 'Ümlaut 😀 failed', level: 'warning', release: 'r1', fingerprint: ['mine', 'own'] });
  // Maps of the next release, in which a file was renamed, and one that arrives after its reports.
  await report(shop, { ...pageError(1, 'Chrome/140.0.0.0', 1), release: 'r2' });
  await upload(shop, 'r2', 'src/basket.ts');
  await report(shop, { ...pageError(1, 'Chrome/140.0.0.0', 2), release: 'r2' });
  await call('PATCH', 'errors/2/status', { status: 'resolved' });
  await call('PATCH', 'errors/3/status', { status: 'resolved' });
  await report(shop, pageError(1, 'Chrome/140.0.0.0', 4));
  await report(shop, pythonError());
  await call('POST', 'errors/3/ai-summary');
  await call('PUT', `projects/${shop.id}/notifications`, {
    email: { enabled: true, to: ['team@shop.example'] },
    webhook: { enabled: false, url: null, format: 'slack' },
  });
  await call('POST', 'members', { email: 'kim@shop.example', role: 'member' });
  await call('POST', 'auth/tokens', { name: 'ci', expires_at: null });
  await call('POST', 'auth/register', { email: 'lee@other.example', password: 'a long password', team_name: 'Other' });
  await call('PUT', 'origins', { origins: ['https://shop.example'] });
  // A removal is compacted as soon as the server is idle.
  await call('DELETE', `projects/${old.id}`);
  await sleep(5_000);
  await report(shop, { message: 'after the compaction', environment: 'staging' });
  await stop(server);
  server = await start();
  await report(shop, { message: 'after a restart', environment: 'staging' });
  await sleep(2_000);
}

/** Returns the responses by path, without those to calls that an old server does not know. */
async function readEverything() {
  const kept = {};
  const keep = async (path) => {
    const body = await call('GET', path);
    if (body) kept[path] = body;
    return body;
  };
  await keep('projects');
  for (const path of ['members', 'auth/tokens', 'origins', 'facets', 'billing/usage', 'auth/me']) await keep(path);
  for (const path of ['facets', 'source-maps', 'notifications']) await keep(`projects/1/${path}`);
  for (const query of ['', '?status=resolved', '?search=total', '?environment=staging']) await keep(`errors${query}`);
  const { items } = await call('GET', 'errors');
  for (const { error_group_id: id } of items) {
    await keep(`errors/${id}`);
    await keep(`errors/${id}/ai-summary`);
    const reports = await keep(`errors/${id}/reports`);
    for (const item of reports?.items ?? []) await keep(`errors/${id}/reports/${item.id}`);
  }
  return kept;
}

async function call(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (response.ok) return text ? JSON.parse(text) : null;
  if (response.status >= 500 || method !== 'GET') console.error(method, path, response.status, text.slice(0, 300));
  return null;
}

function report({ api_key }, fields) {
  return call('POST', 'errors', { project_api_key: api_key, ...fields });
}

async function upload({ id }, release, source) {
  const lines = ['export function total(cart) {', '  const rows = cart.items;', '  return rows.length;', '}'];
  const map = {
    version: 3,
    file: 'app.js',
    sources: [source],
    sourcesContent: [lines.join('\n')],
    names: [],
    mappings: 'AAAA;AACA;AACA',
  };
  const form = new FormData();
  form.append('file', new Blob([JSON.stringify(map)]), 'app.js.map');
  form.append('release', release);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}projects/${id}/source-maps`, { method: 'POST', headers, body: form });
  if (!response.ok) throw new Error(await response.text());
}

function pageError(index, engine, count) {
  return {
    message: index === 0 ? "Cannot read properties of undefined (reading 'total')" : `order ${count} failed`,
    stacktrace: `TypeError: no total\n    at total (https://shop.example/app.js:${index + 2}:3)`,
    type: 'TypeError',
    environment: 'production',
    release: 'r1',
    url: `https://shop.example/cart?item=${count}`,
    user_agent: `Mozilla/5.0 (X11; Linux x86_64) ${engine}`,
    user: { id: `u${count}` },
    tags: { currency: 'EUR', shard: String(count) },
    metadata: { cart: { items: count } },
    breadcrumbs: [{ type: 'click', message: 'button.buy', timestamp: '2026-11-21T10:00:00.000Z' }],
  };
}

function pythonError() {
  const frame = { function: 'Cart.total', file: '/srv/shop/shop/cart.py', module: 'shop.cart', line: 7, in_app: true };
  const stacktrace =
    'Traceback (most recent call last):\n  File "/srv/shop/shop/cart.py", line 7, in total\n    total += 1\nKeyError: 1';
  return { message: 'no price', stacktrace, exceptions: [{ type: 'KeyError', message: '1', frames: [frame] }] };
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
