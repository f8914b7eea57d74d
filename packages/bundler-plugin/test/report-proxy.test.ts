import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReportProxy, type ReportProxy } from '../src/report-proxy.ts';

let received: string[];
let target: Server;
let other: Server;
let proxy: ReportProxy;

beforeEach(async () => {
  received = [];
  target = await listen('target');
  other = await listen('other');
  proxy = await startReportProxy(urlOf(target), async (body) => `prepared ${body}`);
});

afterEach(async () => {
  await proxy.close();
  target.close();
  other.close();
});

function listen(name: string): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer(async (incoming, response) => {
      received.push(`${name} ${incoming.method} ${incoming.url} ${await text(incoming)}`.trim());
      response.end('done');
    });
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends a request with exactly this path, unlike `fetch`. Resolves with the status. */
function send(path: string, body: string | null = null, type = 'application/json'): Promise<number | undefined> {
  const { hostname, port } = new URL(proxy.url);
  const headers = body === null ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method: body === null ? 'GET' : 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end(body ?? undefined);
  });
}

test('a report is prepared, and other requests to the API are sent on as they are', async () => {
  expect(await send('/api/v1/errors', 'report')).toBe(200);
  expect(await send('/api/v1/plans?x=1')).toBe(200);
  expect(await send('/api/v1/errors', 'text', 'text/plain')).toBe(200);
  expect(await send('/api/v1/errors', 'x'.repeat(1024 * 1024 + 1))).toBe(200);
  expect(received.map((line) => line.slice(0, 60))).toEqual([
    'target POST /api/v1/errors prepared report',
    'target GET /api/v1/plans?x=1',
    'target POST /api/v1/errors text',
    `target POST /api/v1/errors ${'x'.repeat(33)}`,
  ]);
});

test('a request reaches no other server and nothing but the API', async () => {
  const host = new URL(urlOf(other)).host;
  for (const path of [`//${host}/api/`, `http://${host}/api/v1/errors`, `/\\${host}/api/`, '/', '/packages/x', '*'])
    expect(await send(path)).toBe(404);
  expect(await send(`/api/..//${host}/x`)).toBe(200);
  expect(received).toEqual([expect.stringMatching(/^target GET \/api\/\.\.\/\//)]);
});
