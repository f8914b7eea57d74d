import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { Connections } from '../../src/http-server/connections.ts';
import { setRequestTimeout } from '../../src/http/request-timeout.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface Client {
  socket: Socket;
  response(): string;
  closed: Promise<void>;
}

/**
 * Starts a server with a short request timeout, and returns a function that connects to it, from any address of the
 * loopback.
 */
async function serve(
  listener: RequestListener,
  requestMs = 300,
  idleMs = 0,
  maxConnections = Infinity,
): Promise<(localAddress?: string) => Client> {
  const server = createServer({ headersTimeout: requestMs, connectionsCheckingInterval: 20 }, listener);
  server.timeout = idleMs;
  const connections = new Connections(server, requestMs, maxConnections);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
    connections.destroyUnused();
  });
  return (localAddress = '127.0.0.1') => {
    let response = '';
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
    cleanups.push(() => socket.destroy());
    socket.on('data', (chunk: Buffer) => (response += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    return { socket, response: () => response, closed: new Promise((resolve) => socket.on('close', () => resolve())) };
  };
}

const whole: RequestListener = (request, response) => {
  request.resume();
  request.on('end', () => response.end(`got ${request.url}`));
};
const head = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
const problem = (code: string): RegExp => new RegExp(`HTTP/1\\.1 4\\d\\d [^]*"code":"${code}"`);

test.each([
  ['nothing at all', ''],
  ['half a head', 'GET / HTTP/1.1\r\nHost'],
  ['half a body', `${head('/', 10)}12345`],
  ['half a chunk', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'],
])('a client that sends %s and stops gets 408 and is disconnected', async (_name, text) => {
  const client = (await serve(whole))();
  client.socket.write(text);
  await client.closed;
  expect(client.response()).toMatch(/^HTTP\/1\.1 408 /);
  expect(client.response()).toMatch(problem('request_timeout'));
});

test('a body that trickles in does not extend the request timeout', async () => {
  const client = (await serve(whole))();
  client.socket.write(head('/', 1_000_000));
  const drip = setInterval(() => client.socket.write('x'), 10);
  cleanups.push(() => clearInterval(drip));
  await client.closed;
  expect(client.response()).toMatch(problem('request_timeout'));
});

test('a route with an extended timeout of 700 ms gets exactly 700 ms', async () => {
  // Node.js applies the default timeout with internal timers, which stay real. The extension uses setTimeout.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const setTimeoutSpy = vi.spyOn(globalThis, 'setTimeout');
  const open = await serve((request, response) => {
    setRequestTimeout({ runtime: { node: { req: request } } } as never, request.url === '/long' ? 60_000 : 700);
    whole(request, response);
  });
  const long = open();
  long.socket.write(`${head('/long', 10)}12345`);
  const short = open();
  short.socket.write(`${head('/short', 10)}12345`);
  await expect.poll(() => vi.getTimerCount()).toBe(2);
  // The default timeout of 300 ms counts toward the 700 ms and the 60 s.
  expect(setTimeoutSpy.mock.calls.map(([, ms]) => ms).toSorted()).toEqual([400, 59_700]);
  vi.advanceTimersByTime(400);
  await short.closed;
  expect(short.response()).toMatch(problem('request_timeout'));
  // The long request is past the default timeout by now.
  long.socket.write('67890');
  await expect.poll(long.response).toContain('got /long');
});

test('a connection with an endless body is closed after its response, without a second one', async () => {
  const client = (await serve((_request, response) => response.writeHead(413).end('too large')))();
  client.socket.write(`${head('/', 1_000)}12345`);
  await client.closed;
  expect(client.response().match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(client.response()).toContain('too large');
});

test('an error response waits for the responses before it', async () => {
  const responses: ServerResponse[] = [];
  const client = (await serve((_request, response) => responses.push(response)))();
  client.socket.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n');
  await expect.poll(() => responses.length).toBe(1);
  responses[0]?.end('the first');
  await client.closed;
  expect(client.response()).toMatch(/the first[^]*HTTP\/1\.1 400 [^]*bad_request/);
});

test('a rejected client can read the response while it is still sending', async () => {
  const client = (await serve(whole))();
  client.socket.write('nonsense\r\n\r\n');
  for (let index = 0; index < 50; index++) client.socket.write(Buffer.alloc(65_536, 'x'));
  await client.closed;
  expect(client.response().match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(client.response()).toMatch(problem('bad_request'));
});

test('a client can read a response that precedes its body, also with Connection: close', async () => {
  const client = (await serve((_request, response) => response.writeHead(422).end('refused'), 60_000))();
  // A reset during a write sometimes discards the response that has already arrived.
  const errors: unknown[] = [];
  client.socket.on('error', (error) => errors.push(error));
  const body = Buffer.alloc(20_000_000, 'x');
  client.socket.write(head('/', body.length).replace('Host', 'Connection: close\r\nHost'));
  client.socket.write(body);
  await client.closed;
  expect(errors).toEqual([]);
  expect(client.response()).toMatch(/^HTTP\/1\.1 422 [^]*refused/);
});

test('a client that does not read its response is disconnected, a waiting client is not', async () => {
  const responses: ServerResponse[] = [];
  const open = await serve((_request, response) => responses.push(response), 60_000, 200);
  const waiting = open();
  waiting.socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => responses.length).toBe(1);
  const notReading = open();
  notReading.socket.pause();
  notReading.socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => responses.length).toBe(2);
  const gone = new Promise((resolve) => responses[1]?.on('close', resolve));
  responses[1]?.end(Buffer.alloc(50_000_000));
  await gone;
  notReading.socket.resume();
  await notReading.closed;
  expect(notReading.response().length).toBeLessThan(50_000_000);
  responses[0]?.end('at last');
  await expect.poll(waiting.response).toContain('at last');
});

test('near the maximum of connections, a new one ends the oldest idle ones', async () => {
  const connectClient = await serve(whole, 5_000, 0, 52);
  const busy = connectClient();
  busy.socket.write(`${head('/busy', 10)}12345`);
  await once(busy.socket, 'connect');
  const idle = connectClient();
  idle.socket.write(`${head('/idle', 0)}`);
  await vi.waitFor(() => expect(idle.response()).toContain('got /idle'));
  const next = connectClient();
  await idle.closed;
  next.socket.write(head('/next', 0));
  await vi.waitFor(() => expect(next.response()).toContain('got /next'));
  busy.socket.write('67890');
  await vi.waitFor(() => expect(busy.response()).toContain('got /busy'));
});

// Only Linux has several loopback addresses.
test.runIf(process.platform === 'linux')(
  'near the maximum of connections, a new one ends the oldest ones of the address that has the most',
  async () => {
    const connectClient = await serve(whole, 60_000, 0, 70);
    const unused = connectClient('127.0.0.3');
    const busy = connectClient('127.0.0.2');
    busy.socket.write(`${head('/busy', 10)}12345`);
    await Promise.all([once(unused.socket, 'connect'), once(busy.socket, 'connect')]);
    const slow: Client[] = [];
    for (let count = 0; count < 100; count++) {
      const client = connectClient();
      slow.push(client);
      client.socket.write(`${head('/slow', 10)}12345`);
      await once(client.socket, 'connect');
    }
    const next = connectClient('127.0.0.4');
    next.socket.write(head('/next', 0));
    await vi.waitFor(() => expect(next.response()).toContain('got /next'));
    busy.socket.write('67890');
    unused.socket.write(head('/unused', 0));
    await vi.waitFor(() => expect(busy.response()).toContain('got /busy'));
    await vi.waitFor(() => expect(unused.response()).toContain('got /unused'));
    // The oldest connections were ended.
    await Promise.all(slow.slice(0, 30).map(({ closed }) => closed));
    expect(slow.at(-1)?.socket.destroyed).toBe(false);
  },
);
