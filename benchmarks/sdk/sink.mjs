import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';

/**
 * A fake of a product's backend. Each product has a separate sink.
 *
 * @typedef {Awaited<ReturnType<typeof openSink>>} Sink
 */

/**
 * A request, or a message over a socket. Preflights are counted separately.
 *
 * @typedef {{ path: string, method: string, body: string, bytes: number }} Arrival
 */

/** A response that every product treats as a success. */
const accepted = JSON.stringify({ err: 0, id: '1', event_id: '1', is_new_group: true, error_group_id: 1 });

/** @param {{ key: string, cert: string }} [certificate] for a product that insists on https */
export async function openSink(certificate) {
  /** @type {Arrival[]} */
  let arrivals = [];
  let preflights = 0;
  let status = 200;
  let lastAt = performance.now();

  /** @param {Arrival} arrival */
  function take(arrival) {
    arrivals.push(arrival);
    lastAt = performance.now();
  }

  /** @type {import('node:http').RequestListener} */
  const listener = async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method = '', url: path = '/', headers } = request;
    response.setHeader('Access-Control-Allow-Origin', headers.origin ?? '*');
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    // The page is isolated: responses of other origins must opt in.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (method === 'OPTIONS') {
      preflights++;
      response.setHeader('Access-Control-Allow-Methods', headers['access-control-request-method'] ?? 'POST');
      response.setHeader('Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '');
      response.setHeader('Access-Control-Max-Age', '86400');
      response.writeHead(204).end();
      return;
    }
    take({ path, method, body: body.toString(), bytes: body.length });
    response.setHeader('Content-Type', 'application/json');
    response.writeHead(status).end(accepted);
  };
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  server.keepAliveTimeout = 60_000;
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const body = String(data);
      take({ path: '/', method: 'message', body, bytes: Buffer.byteLength(body) });
    });
    socket.on('error', () => socket.terminate());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

  return {
    port,
    /** The requests since the sink was last cleared. */
    arrivals: () => arrivals,
    preflights: () => preflights,
    /** @param {number} next the status of later responses */
    respondWith(next) {
      status = next;
    },
    empty() {
      arrivals = [];
      preflights = 0;
    },
    /**
     * Resolves when no request has arrived for `ms`, or after `longestMs`.
     *
     * @param {number} [ms]
     * @param {number} [longestMs]
     */
    async waitUntilQuiet(ms = 1_000, longestMs = 20_000) {
      const began = performance.now();
      const late = began + longestMs;
      while (performance.now() - Math.max(lastAt, began) < ms && performance.now() < late) await sleep(20);
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
