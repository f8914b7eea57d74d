import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
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

/** Starts a server that does not hold the log. It reads only the headers of a request, then breaks the connection. */
async function breakingStandby(): Promise<Peer> {
  const standby = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.pause();
      socket.write(`HTTP/1.1 503 Service Unavailable\r\n${notHolderHeader}: 1\r\ncontent-length: 0\r\n\r\n`);
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
  }).listen(0, '127.0.0.1');
  await once(standby, 'listening');
  cleanups.push(() => void standby.close());
  return peerAt(`http://127.0.0.1:${(standby.address() as AddressInfo).port}`);
}

test('a large body is sent again, and a broken connection to the previous server does not end the response', async () => {
  const holder = await serveOnLoopback(async (request, response) => {
    let size = 0;
    for await (const chunk of request) size += (chunk as Buffer).length;
    response.write(`${size} bytes, `);
    await sleep(200);
    response.end('all of them');
  });
  const peers = [await breakingStandby(), peerAt(new URL(holder.url).origin)];
  const forwarder = new Forwarder();
  // More than the buffers of a connection hold.
  const body = Buffer.alloc(16 * 1024 * 1024);
  const outcomes: Forwarded[] = [];
  const front = await serveOnLoopback(async (request, response) => {
    const forwarded: ForwardedRequest = { request, response, client: '203.0.113.7', body };
    for (const peer of peers) outcomes.push(await forwarder.forward(forwarded, peer));
  });
  cleanups.push(holder.close, front.close, () => forwarder.close());
  const response = await fetch(front.url, { method: 'POST' });
  expect(await response.text()).toBe('16777216 bytes, all of them');
  await expect.poll(() => outcomes).toEqual(['unhandled', 'done']);
});
