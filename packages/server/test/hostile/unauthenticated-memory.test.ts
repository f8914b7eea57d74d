import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { startWatched, type WatchedServer } from './watched-server.ts';

let server: WatchedServer;
let key = '';
beforeAll(async () => {
  server = await startWatched(`file:${await temporaryFolder()}`);
  ({ api_key: key } = (await server.call<{ api_key: string }>('POST', 'projects', { body: { name: 'Shop' } })).body);
});
afterAll(async () => {
  await server.stop();
  await cleanUp();
});

/** The head of a report and the bytes of its body. */
function request(body: Uint8Array, length = body.length): Buffer {
  const head = `POST /api/v1/errors HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n`;
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${length}\r\n\r\n`), body]);
}

/** Opens many connections that send the same bytes, and resolves once all are connected. */
async function openMany(count: number, bytes: Uint8Array): Promise<Socket[]> {
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect(Number(server.url.port), server.url.hostname, () => {
            socket.write(bytes);
            resolve(socket);
          });
          socket.on('error', () => undefined);
          socket.resume();
        }),
    ),
  );
}

/** Sends a report as an app does, and returns the status. */
const report = async (): Promise<number> =>
  (await server.call('POST', 'errors', { body: { project_api_key: key, message: 'It broke' } })).status;

test('1,500 connections with compressed bodies take little memory, and reports are still accepted', async () => {
  const bomb = gzipSync(JSON.stringify({ message: 'x'.repeat(1_000_000) }), { level: 9 });
  const sockets = await openMany(1_500, request(bomb));
  expect(await report()).toBe(200);
  await expect.poll(async () => (await server.call('GET', 'projects')).status).toBe(200);
  const known = gzipSync(JSON.stringify({ project_api_key: key, message: 'x'.repeat(1_000_000) }), { level: 9 });
  sockets.push(...(await openMany(1_500, request(known))));
  expect(await report()).toBe(200);
  for (const socket of sockets) socket.destroy();
  const { rssMb } = await server.takePeaks();
  expect(rssMb).toBeLessThan(256);
});

test('bodies that never end do not prevent reports of other clients', async () => {
  const part = new Uint8Array(900_000);
  const sockets = await openMany(60, request(part, 1_000_000));
  for (let sent = 0; sent < 5; sent++) expect(await report()).toBe(200);
  for (const socket of sockets) socket.destroy();
  expect((await server.takePeaks()).rssMb).toBeLessThan(256);
});

test('bodies in chunks of one byte take little memory', async () => {
  const head = 'POST /api/v1/errors HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
  const bytes = Buffer.from(`${head}${'1\r\na\r\n'.repeat(60_000)}0\r\n\r\n`);
  const responses = await Promise.all(Array.from({ length: 60 }, () => server.send([bytes])));
  for (const response of responses) expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect((await server.takePeaks()).rssMb).toBeLessThan(256);
});
