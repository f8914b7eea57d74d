import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveOnLoopback, type LoopbackServer } from '../../../test/test-utils/serve-on-loopback.ts';
import { startReportProxy, type ReportProxy } from '../src/report-proxy.ts';

let received: string[];
let target: LoopbackServer;
let other: LoopbackServer;
let proxy: ReportProxy;

beforeEach(async () => {
  received = [];
  target = await serve('target');
  other = await serve('other');
  proxy = await startReportProxy(target.url, async (body) => `prepared ${body}`);
});

afterEach(async () => {
  await proxy.close();
  await target.close();
  await other.close();
});

function serve(name: string): Promise<LoopbackServer> {
  return serveOnLoopback(async (incoming, response) => {
    received.push(`${name} ${incoming.method} ${incoming.url} ${await text(incoming)}`.trim());
    response.end('done');
  });
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
  const host = new URL(other.url).host;
  for (const path of [`//${host}/api/`, `http://${host}/api/v1/errors`, `/\\${host}/api/`, '/', '/packages/x', '*'])
    expect(await send(path)).toBe(404);
  expect(await send(`/api/..//${host}/x`)).toBe(200);
  expect(received).toEqual([expect.stringMatching(/^target GET \/api\/\.\.\/\//)]);
});
