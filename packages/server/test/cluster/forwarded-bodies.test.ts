import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@service/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { serveOnLoopback } from '../../../../test/test-utils/serve-on-loopback.ts';
import { ForwardedBodies } from '../../src/cluster/forwarded-bodies.ts';
import { reportPath } from '../../src/receive/receive-report.ts';

const smallBytes = 64 * 1024;
const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of cleanups.splice(0)) await close();
});

interface ReadingServer {
  port: number;
  bodies: ForwardedBodies;
  /** For each request, how its body was read: the large bodies that were in memory then, or the error. */
  reads: string[];
}

/** Starts a server that reads bodies, or else streams them, and responds with their hash and length. */
async function readingServer(maxHeldBytes?: number): Promise<ReadingServer> {
  const bodies = new ForwardedBodies(maxHeldBytes);
  const reads: string[] = [];
  const { url, close } = await serveOnLoopback((request, response) => void respond(request, response));
  cleanups.push(close);
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await bodies.read(request, response);
      reads.push(body ? `read, ${bodies.heldBytes} held` : 'streamed');
      // A streamed body must wait for the connection to its holder.
      await sleep(10);
      const chunks: Buffer[] = body ? [body] : [];
      if (!body) for await (const chunk of request) chunks.push(chunk as Buffer);
      response.end(hashOf(Buffer.concat(chunks)));
    } catch (error) {
      reads.push(String(error));
    }
  }
  return { port: Number(new URL(url).port), bodies, reads };
}

function hashOf(body: Buffer): string {
  return `${createHash('sha256').update(body).digest('hex')} ${body.length}`;
}

function bodyOf(size: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, (_, index) => index % 251));
}

async function post({ port }: ReadingServer, body: Buffer, isChunked: boolean, path = reportPath): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body: isChunked ? new Blob([body]).stream() : body,
    ...(isChunked && { duplex: 'half' }),
  } as RequestInit);
  return response.text();
}

/** Sends the headers of a request, and a part of its body. */
async function beginPost({ port }: ReadingServer, headers: string, part: Buffer | string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  cleanups.push(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(`POST ${reportPath} HTTP/1.1\r\nhost: errors.example\r\n${headers}\r\n\r\n`);
  socket.write(part);
  return socket;
}

describe.each([
  ['a declared length', false],
  ['chunks', true],
])('a body with %s', (_, isChunked) => {
  test.each([0, 1, smallBytes, smallBytes + 1, limits.reportBodyBytes])('of %i bytes is read', async (size) => {
    const server = await readingServer();
    const body = bodyOf(size);
    expect(await post(server, body, isChunked)).toBe(hashOf(body));
    expect(server.reads).toEqual([`read, ${size > smallBytes ? size : 0} held`]);
    await expect.poll(() => server.bodies.heldBytes).toBe(0);
  });

  test('that is larger than a report may be is streamed whole', async () => {
    const server = await readingServer();
    for (const more of [1, 3 * limits.reportBodyBytes]) {
      const body = bodyOf(limits.reportBodyBytes + more);
      expect(await post(server, body, isChunked)).toBe(hashOf(body));
    }
    expect(server.reads).toEqual(['streamed', 'streamed']);
    await expect.poll(() => server.bodies.heldBytes).toBe(0);
  });

  test('that exceeds the budget is streamed whole', async () => {
    const server = await readingServer(200 * 1024);
    const large = bodyOf(150 * 1024);
    const slow = await beginPost(server, `content-length: ${large.length}`, large.subarray(1));
    await expect.poll(() => server.bodies.heldBytes).toBe(large.length - 1);
    for (const body of [large, bodyOf(smallBytes + 1), bodyOf(smallBytes)])
      expect(await post(server, body, isChunked)).toBe(hashOf(body));
    expect(server.reads).toEqual(['streamed', 'streamed', `read, ${large.length - 1} held`]);
    slow.write(large.subarray(0, 1));
    await expect.poll(() => server.bodies.heldBytes).toBe(0);
    expect(await post(server, large, isChunked)).toBe(hashOf(large));
    expect(server.reads.slice(3)).toEqual(Array(2).fill(`read, ${large.length} held`));
  });

  test('whose client leaves gives its bytes back', async () => {
    const server = await readingServer();
    const size = 300 * 1024;
    const socket = isChunked
      ? await beginPost(server, 'transfer-encoding: chunked', `${size.toString(16)}\r\n${'x'.repeat(size)}`)
      : await beginPost(server, `content-length: ${size + 1}`, 'x'.repeat(size));
    await expect.poll(() => server.bodies.heldBytes).toBe(size);
    socket.destroy();
    await expect.poll(() => server.bodies.heldBytes).toBe(0);
    expect(server.reads).toEqual(['Error: The connection was closed before the end of the body.']);
  });
});

test('each byte of a body can be a chunk', async () => {
  const server = await readingServer();
  const bytes = Array.from(bodyOf(smallBytes + 9), (byte) => Buffer.from([49, 13, 10, byte, 13, 10]));
  const socket = await beginPost(server, 'transfer-encoding: chunked\r\nconnection: close', Buffer.concat(bytes));
  socket.write('0\r\n\r\n');
  const received = await socket.setEncoding('latin1').toArray();
  expect(received.join('')).toContain(hashOf(bodyOf(smallBytes + 9)));
  expect(server.reads).toEqual([`read, ${smallBytes + 9} held`]);
});

test('many large bodies are read, although only some are read at a time', async () => {
  const server = await readingServer();
  const body = bodyOf(500 * 1024);
  const hashes = await Promise.all(Array.from({ length: 40 }, () => post(server, body, false)));
  expect(hashes).toEqual(Array(40).fill(hashOf(body)));
  expect(server.reads.every((read) => read.startsWith('read'))).toBe(true);
  await expect.poll(() => server.bodies.heldBytes).toBe(0);
});

test('a chunked body that is no report is streamed', async () => {
  const server = await readingServer();
  expect(await post(server, bodyOf(100), true, '/api/v1/source-maps')).toBe(hashOf(bodyOf(100)));
  expect(server.reads).toEqual(['streamed']);
});
