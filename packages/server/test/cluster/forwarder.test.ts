import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { serveOnLoopback } from '../../../../test/test-utils/serve-on-loopback.ts';
import { Forwarder, type Forwarded, type ForwardedRequest } from '../../src/cluster/forwarder.ts';
import { notHolderHeader } from '../../src/cluster/peer-headers.ts';
import type { Peer } from '../../src/storage/postgres/postgres-lease.ts';

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of cleanups.splice(0)) await close();
});

function peerAt(address: string): Peer {
  return { id: address, address, secret: 'peer secret', isReady: true, isAlive: true } as Peer;
}

/** Starts a server that does not hold the log, and reads only the headers of a request. */
async function breakingStandby(): Promise<{ standby: Peer; breakConnections(): void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.pause();
      socket.write(`HTTP/1.1 503 Service Unavailable\r\n${notHolderHeader}: 1\r\ncontent-length: 0\r\n\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => void server.close());
  return {
    standby: peerAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    breakConnections: () => sockets.forEach((socket) => socket.resetAndDestroy()),
  };
}

test('a large body is sent again, and a broken connection to the previous server does not end the response', async () => {
  const { standby, breakConnections } = await breakingStandby();
  const holder = await serveOnLoopback(async (request, response) => {
    let size = 0;
    for await (const chunk of request) size += (chunk as Buffer).length;
    response.write(`${size} bytes, `);
    breakConnections();
    // Time for the error of the broken connection.
    await sleep(200);
    response.end('all of them');
  });
  const peers = [standby, peerAt(new URL(holder.url).origin)];
  const forwarder = new Forwarder();
  // More than the buffers of a connection hold.
  const body = Buffer.alloc(16 * 1024 * 1024);
  const outcomes: Forwarded[] = [];
  const front = await serveOnLoopback(async (request, response) => {
    const forwarded: ForwardedRequest = { request, response, client: '203.0.113.7', body, mayBeStored: false };
    for (const peer of peers) outcomes.push(await forwarder.forward(forwarded, peer));
  });
  cleanups.push(holder.close, front.close, () => forwarder.close());
  const response = await fetch(front.url, { method: 'POST' });
  expect(await response.text()).toBe('16777216 bytes, all of them');
  await expect.poll(() => outcomes).toEqual(['unhandled', 'done']);
});

test('a rejection of a request that may have been stored is not passed on', async () => {
  const holder = await serveOnLoopback((request, response) => {
    // Before the end of the body: the rest is not needed.
    response.writeHead(401).end('No project has this API key.');
    request.resume();
  });
  const forwarder = new Forwarder();
  const front = await serveOnLoopback(async (request, response) => {
    const mayBeStored = request.url === '/again';
    const body = Buffer.alloc(1024 * 1024);
    const outcome = await forwarder.forward(
      { request, response, client: '203.0.113.7', body, mayBeStored },
      peerAt(new URL(holder.url).origin),
    );
    if (outcome !== 'done') response.writeHead(503).end(outcome);
  });
  cleanups.push(holder.close, front.close, () => forwarder.close());
  const statuses = ['first', 'again'].map(async (path) => {
    const response = await fetch(new URL(path, front.url), { method: 'POST' });
    return `${response.status} ${await response.text()}`;
  });
  expect(await Promise.all(statuses)).toEqual(['401 No project has this API key.', '503 unknown']);
});
