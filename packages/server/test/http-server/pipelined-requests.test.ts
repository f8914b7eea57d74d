import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { handlePipelined } from '../../src/http-server/pipelined-requests.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

async function startServer(listener: RequestListener): Promise<Server> {
  const server = createServer(handlePipelined(listener));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => void server.close());
  return server;
}

interface AheadClient {
  socket: Socket;
  received(): string;
  closed: Promise<void>;
}

/** Sends requests for `/0`, `/1` and so on at once. */
function sendAhead(server: Server, count: number): AheadClient {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  cleanups.push(() => socket.destroy());
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  return { socket, received: () => received, closed: new Promise((resolve) => socket.on('close', () => resolve())) };
}

test('requests that a client sends ahead are handled one after another', async () => {
  const pending: ServerResponse[] = [];
  const urls: string[] = [];
  const server = await startServer((request, response) => {
    urls.push(request.url ?? '');
    pending.push(response);
  });
  const { received } = sendAhead(server, 5);
  for (let index = 0; index < 5; index++) {
    await expect.poll(() => pending).toHaveLength(1);
    pending.pop()?.end(`response ${index}`);
  }
  await expect.poll(received).toMatch(/response 0[^]*response 1[^]*response 2[^]*response 3[^]*response 4/);
  expect(urls).toEqual(['/0', '/1', '/2', '/3', '/4']);
});

test('a client that sends too many requests ahead is disconnected', async () => {
  let handled = 0;
  const server = await startServer(() => void handled++);
  await sendAhead(server, 1_000).closed;
  expect(handled).toBe(1);
});

test('nothing is handled after a response that closes the connection', async () => {
  const urls: string[] = [];
  const server = await startServer((request, response) => {
    urls.push(request.url ?? '');
    response.setHeader('connection', 'close').end('done');
  });
  await sendAhead(server, 3).closed;
  expect(urls).toEqual(['/0']);
});

test('many clients that send ahead share a limit, which is free again once they have left', async () => {
  let isHanging = true;
  const server = await startServer((_, response) => void (isHanging || response.end('done')));
  const clients = Array.from({ length: 20 }, () => sendAhead(server, 128));
  await Promise.race(clients.map(({ closed }) => closed));
  expect(clients.filter(({ socket }) => !socket.destroyed).length).toBeGreaterThan(14);
  for (const { socket } of clients) socket.destroy();
  await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(0);
  isHanging = false;
  for (let round = 0; round < 3; round++) {
    const { received } = sendAhead(server, 128);
    await expect.poll(() => received().match(/done/g)?.length).toBe(128);
  }
});
