import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { problems, type ProblemCode } from '@service/protocol';
import { defaultBaseUrl } from './config.ts';
import type { Services } from './services.ts';

export interface Listening {
  /** Resolves once the listener is there, and rejects if it can't be loaded. */
  ready: Promise<unknown>;
  /** Takes no more connections, answers what is in flight, and resolves when the last connection is closed. */
  stop(): Promise<void>;
}

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 300_000;
const mostHeaderBytes = 16 * 1024;
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
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // Node looks at the two above only this often.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: mostHeaderBytes,
      // Node itself would refuse without a body; see `refuse`.
      requireHostHeader: false,
    },
    (request, response) => {
      if (request.headers.host === undefined && request.httpVersion === '1.1') refuse(request, response);
      else answer(request, response);
    },
  );
  server.on('checkExpectation', refuse);
  server.on('clientError', answerClientError);
  const unused = trackUnusedSockets(server);
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
    stop: () => stop(server, unused),
  };
}

/** Connections that have not brought a request yet: browsers open some just in case, and Node does not call them idle. */
function trackUnusedSockets(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return unused;
}

function stop(server: Server, unused: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
    // A connection that has its answer ends at once, instead of waiting for another request.
    server.keepAliveTimeout = 1;
  });
}

/** A request that HTTP does not allow, or that asks for what is not done here: no host, `Expect` of anything. */
function refuse(_request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = rawProblem('bad_request', 'The request is not valid HTTP.');
  response.writeHead(status, headers).end(body);
}

/** What Node refuses before any route has seen it, in the words of every other error. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [code, detail] = clientErrors[error.code ?? ''] ?? (['bad_request', 'The request is not valid HTTP.'] as const);
  const { status, headers, body } = rawProblem(code, detail);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${problems[code].title}`, ...lines, '', body].join('\r\n'));
}

const clientErrors: Record<string, readonly [ProblemCode, string] | undefined> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of the request are too large.'],
};

function rawProblem(
  code: ProblemCode,
  detail: string,
): { status: number; headers: Record<string, string>; body: string } {
  const { status, title } = problems[code];
  const request_id = randomUUID();
  const body = JSON.stringify({ type: `/docs/problems#${code}`, title, status, code, detail, request_id });
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': request_id,
    Connection: 'close',
  };
  return { status, headers, body };
}
