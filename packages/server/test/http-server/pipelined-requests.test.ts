import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { handlePipelined } from '../../src/http-server/pipelined-requests.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

/** Sends requests for `/0`, `/1` and so on at once, and returns what the client receives. */
async function sendAhead(
  count: number,
  listener: RequestListener,
): Promise<{ received: () => string; closed: Promise<void> }> {
  const server = createServer(handlePipelined(listener));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  cleanups.push(() => {
    socket.destroy();
    server.close();
  });
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  return { received: () => received, closed: new Promise((resolve) => socket.on('close', () => resolve())) };
}

test('requests that a client sends ahead are handled one after another', async () => {
  const pending: ServerResponse[] = [];
  const urls: string[] = [];
  const { received } = await sendAhead(5, (request, response) => {
    urls.push(request.url ?? '');
    pending.push(response);
  });
  for (let index = 0; index < 5; index++) {
    await expect.poll(() => pending).toHaveLength(1);
    pending.pop()?.end(`response ${index}`);
  }
  await expect.poll(received).toMatch(/response 0[^]*response 1[^]*response 2[^]*response 3[^]*response 4/);
  expect(urls).toEqual(['/0', '/1', '/2', '/3', '/4']);
});

test('a client that sends too many requests ahead is disconnected', async () => {
  let handled = 0;
  const { closed } = await sendAhead(1_000, () => void handled++);
  await closed;
  expect(handled).toBe(1);
});
