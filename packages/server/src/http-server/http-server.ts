import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@service/protocol';
import { defaultBaseUrl, isEveryAddress } from '../config.ts';
import { Connections } from './connections.ts';
import { handlePipelined } from './pipelined-requests.ts';
import { rejectRequest, rejectSocket, rejectWhileStopping } from './reject-connection.ts';
import type { Services } from '../services.ts';

export interface HttpServer {
  /** The port on which the server listens. */
  port: number;
  /** Resolves once the request handler is loaded. Rejects if loading fails. */
  ready: Promise<unknown>;
  /**
   * Rejects new connections, finishes pending requests, and resolves when the last connection is closed. Connections
   * that are still open after `withinMs` are destroyed.
   */
  stop(withinMs?: number): Promise<void>;
}

const headersTimeoutMs = 10_000;
const maxHeaderBytes = 16 * 1024;
/** Twice the maximum of live streams. Before this number is reached, `Connections` ends some that wait. */
const maxConnectionCount = 2 * limits.streams;
/** A connection is closed if the client reads nothing of a response for this long. */
const responseTimeoutMs = 30_000;
/** A stop destroys connections after this time. */
export const maxConnectionStopMs = 8_000;

/**
 * Listens on the configured host and port, sets `services.baseUrl`, then loads the request handler. Requests that
 * arrive earlier wait for the handler. Rejects with the system's error if the port is not available.
 */
export async function startHttpServer(
  services: Services,
  loadHandler: () => Promise<RequestListener>,
): Promise<HttpServer> {
  const { host, port, baseUrl, keepAliveSeconds } = services.config;
  let ready: Promise<RequestListener> | null = null;
  let handle: RequestListener = (request, response) =>
    void ready?.then(
      (handler) => handler(request, response),
      // The error reaches the caller that awaits `ready`.
      () => response.destroy(),
    );
  let isStopping = false;
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      // Node checks timeouts only at this interval.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: maxHeaderBytes,
      // Node would reject such a request without a body; see `rejectRequest`.
      requireHostHeader: false,
    },
    handlePipelined((request, response) => {
      if (isStopping) rejectWhileStopping(response);
      else if (request.headers.host === undefined && request.httpVersion === '1.1') rejectRequest(request, response);
      else handle(request, response);
    }),
  );
  server.maxConnections = maxConnectionCount;
  server.timeout = responseTimeoutMs;
  server.keepAliveTimeout = 1_000 * keepAliveSeconds;
  server.on('checkExpectation', rejectRequest);
  server.on('connect', (_request, socket) => rejectSocket(socket));
  const connections = new Connections(server, undefined, maxConnectionCount);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // The actual port: the configured one may be 0.
  const actualPort = (server.address() as AddressInfo).port;
  services.baseUrl = baseUrl ?? defaultBaseUrl({ host, port: actualPort });
  if (baseUrl === null && isEveryAddress(host))
    services.log.warn(
      `links, invitations and DSNs contain ${services.baseUrl}, which other machines can't open: set --base-url or ` +
        'SERVICE_BASE_URL to the URL at which browsers reach the server',
    );
  ready = loadHandler();
  void ready.then(
    (handler) => (handle = handler),
    // The error reaches the caller that awaits `ready`.
    () => undefined,
  );
  return {
    port: actualPort,
    ready,
    stop(withinMs = maxConnectionStopMs) {
      isStopping = true;
      // Streams do not end on their own.
      services.stream.close();
      services.testMessageOutcomes.close();
      return stop(server, connections, withinMs);
    },
  };
}

function stop(server: Server, connections: Connections, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
    connections.destroyUnused();
    // A connection closes after its current response, instead of waiting for another request.
    connections.closeAfterResponses();
    server.keepAliveTimeout = 1;
  });
}
