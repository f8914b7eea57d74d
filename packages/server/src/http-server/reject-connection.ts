import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemBody, ProblemError } from '../problem.ts';

/**
 * Milliseconds in which a rejected client may finish sending. If the socket closed immediately, the client might lose
 * the response.
 */
export const rejectedLingerMs = 5_000;

/** Rejects a request without a Host header, or with an `Expect` other than `100-continue`. */
export function rejectRequest(_request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = rawResponse(notHttp);
  response.writeHead(status, headers).end(body);
}

/** Rejects a request on a connection that is still open while the server stops. */
export function rejectWhileStopping(response: ServerResponse): void {
  const { status, headers, body } = rawResponse(stopping);
  response.writeHead(status, { ...headers, 'Retry-After': '5' }).end(body);
}

/**
 * Rejects a connection with the usual error body. Node reports the errors of connections before any route runs, or
 * while a body arrives.
 */
export function rejectSocket(socket: Duplex, error?: NodeJS.ErrnoException): void {
  const { status, title, headers, body } = rawResponse(clientErrors[error?.code ?? ''] ?? notHttp);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${title}`, ...lines, '', body].join('\r\n'));
  setTimeout(() => socket.destroy(), rejectedLingerMs).unref();
}

const notHttp = new ProblemError('bad_request', 'The request is not valid HTTP.');
const stopping = new ProblemError('shutting_down', 'The server is stopping.');

const clientErrors: Record<string, ProblemError | undefined> = {
  ERR_HTTP_REQUEST_TIMEOUT: new ProblemError('request_timeout', 'The request did not arrive in time.'),
  HPE_HEADER_OVERFLOW: new ProblemError('headers_too_large', 'The headers of the request are too large.'),
};

/** Builds a response outside of the routes, where Node's own response would have no body. */
function rawResponse(problem: ProblemError): {
  status: number;
  title: string;
  headers: Record<string, string>;
  body: string;
} {
  const request_id = randomUUID();
  const sent = problemBody(problem, request_id);
  const body = JSON.stringify(sent);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': request_id,
    Connection: 'close',
  };
  return { status: sent.status, title: sent.title, headers, body };
}
