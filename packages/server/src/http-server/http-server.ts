import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultBaseUrl } from '../config.ts';
import { Connections } from './connections.ts';
import { refuse, refuseSocket, refuseStopping } from './reject-connection.ts';
import type { Services } from '../services.ts';

export interface Listening {
  /** Resolves once the listener is there, and rejects if it can't be loaded. */
  ready: Promise<unknown>;
  /** Takes no more connections, answers what is in flight, and resolves when the last connection is closed. */
  stop(): Promise<void>;
}

const headersTimeoutMs = 10_000;
const mostHeaderBytes = 16 * 1024;
/** Twice as many as may listen to the live stream. Whoever comes beyond finds the door shut; those who are in are served. */
const mostConnections = 2_000;
/** A client that takes nothing of its answer for so long has gone, or wants to be waited for. */
const answerTimeoutMs = 30_000;
/** What is still in flight after so long is cut off. */
const stopTimeoutMs = 8_000;

/**
 * Listens on the configured host and port, and makes known where that is. Only then the listener is loaded: requests that
 * come earlier wait for it. Rejects with the system's own error if the port can't be had.
 */
export async function listen(services: Services, loadListener: () => Promise<RequestListener>): Promise<Listening> {
  const { host, port, baseUrl } = services.config;
  let ready: Promise<RequestListener> | null = null;
  let answer: RequestListener = (request, response) =>
    void ready?.then(
      (listener) => listener(request, response),
      // Whoever waits for `ready` is told.
      () => response.destroy(),
    );
  let isStopping = false;
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      // Node looks at time-outs only this often.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: mostHeaderBytes,
      // Node itself would refuse without a body; see `refuse`.
      requireHostHeader: false,
    },
    (request, response) => {
      if (isStopping) refuseStopping(response);
      else if (request.headers.host === undefined && request.httpVersion === '1.1') refuse(request, response);
      else answer(request, response);
    },
  );
  server.maxConnections = mostConnections;
  server.timeout = answerTimeoutMs;
  server.on('checkExpectation', refuse);
  server.on('connect', (_request, socket) => refuseSocket(socket));
  const connections = new Connections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // The port that was really taken: the configured one may be 0.
  services.baseUrl = baseUrl ?? defaultBaseUrl({ host, port: (server.address() as AddressInfo).port });
  ready = loadListener();
  void ready.then(
    (listener) => (answer = listener),
    // Whoever waits for `ready` is told.
    () => undefined,
  );
  return {
    ready,
    stop() {
      isStopping = true;
      // They would never end by themselves.
      services.stream.close();
      services.testOutcomes.close();
      return stop(server, connections);
    },
  };
}

function stop(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
    connections.destroyUnused();
    // A connection that has its answer ends at once, instead of waiting for another request.
    connections.endAfterAnswers();
    server.keepAliveTimeout = 1;
  });
}
