import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { problems, type ProblemCode } from '@service/protocol';

/** So long what a refused client still sends is taken and forgotten: closed at once, it might not see its answer. */
const lingerMs = 1_000;

/** A request that HTTP does not allow, or that asks for what is not done here: no host, `Expect` of anything. */
export function refuse(_request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = rawProblem(...notHttp);
  response.writeHead(status, headers).end(body);
}

/** A request that comes over a connection that is there still, after the server was told to stop. */
export function refuseStopping(response: ServerResponse): void {
  const { status, headers, body } = rawProblem('shutting_down', 'The server is stopping.');
  response.writeHead(status, { ...headers, 'Retry-After': '5' }).end(body);
}

/** What Node refuses before any route has seen it, or while its body comes in, in the words of every other error. */
export function refuseSocket(socket: Duplex, error?: NodeJS.ErrnoException): void {
  const { status, title, headers, body } = rawProblem(...(clientErrors[error?.code ?? ''] ?? notHttp));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${title}`, ...lines, '', body].join('\r\n'));
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

type Refusal = readonly [code: ProblemCode, detail: string];

const notHttp: Refusal = ['bad_request', 'The request is not valid HTTP.'];

const clientErrors: Record<string, Refusal | undefined> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of the request are too large.'],
};

function rawProblem(
  code: ProblemCode,
  detail: string,
): { status: number; title: string; headers: Record<string, string>; body: string } {
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
  return { status, title, headers, body };
}
