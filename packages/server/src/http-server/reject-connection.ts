import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemBody, ProblemError } from '../problem.ts';

/** So long what a refused client still sends is taken and forgotten: closed at once, it might not see its answer. */
export const lingerMs = 5_000;

/** A request that HTTP does not allow, or that asks for what is not done here: no host, `Expect` of anything. */
export function refuse(_request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = rawAnswer(notHttp);
  response.writeHead(status, headers).end(body);
}

/** A request that comes over a connection that is there still, after the server was told to stop. */
export function refuseStopping(response: ServerResponse): void {
  const { status, headers, body } = rawAnswer(stopping);
  response.writeHead(status, { ...headers, 'Retry-After': '5' }).end(body);
}

/** What Node refuses before any route has seen it, or while its body comes in, in the words of every other error. */
export function refuseSocket(socket: Duplex, error?: NodeJS.ErrnoException): void {
  const { status, title, headers, body } = rawAnswer(clientErrors[error?.code ?? ''] ?? notHttp);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${title}`, ...lines, '', body].join('\r\n'));
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

const notHttp = new ProblemError('bad_request', 'The request is not valid HTTP.');
const stopping = new ProblemError('shutting_down', 'The server is stopping.');

const clientErrors: Record<string, ProblemError | undefined> = {
  ERR_HTTP_REQUEST_TIMEOUT: new ProblemError('request_timeout', 'The request did not arrive in time.'),
  HPE_HEADER_OVERFLOW: new ProblemError('headers_too_large', 'The headers of the request are too large.'),
};

/** An answer without any route: for where Node's own would have no body. */
function rawAnswer(problem: ProblemError): {
  status: number;
  title: string;
  headers: Record<string, string>;
  body: string;
} {
  const request_id = randomUUID();
  const told = problemBody(problem, request_id);
  const body = JSON.stringify(told);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': request_id,
    Connection: 'close',
  };
  return { status: told.status, title: told.title, headers, body };
}
