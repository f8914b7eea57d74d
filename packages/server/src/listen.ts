import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { problems, type ProblemCode } from '@service/protocol';
import { toNodeHandler, type H3 } from 'h3';
import { randomUUID } from 'node:crypto';

export interface Listening {
  /** `http://127.0.0.1:4400`, with the port that was really taken. */
  url: string;
  /** Takes no more connections, answers what is in flight, and resolves when the last connection is closed. */
  stop(): Promise<void>;
}

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 300_000;
const mostHeaderBytes = 16 * 1024;
/** What is still in flight after so long is cut off. */
const stopTimeoutMs = 8_000;

/** Puts the app on a port. Rejects with the system's own error if the port can't be had. */
export async function listen(app: H3, host: string, port: number): Promise<Listening> {
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // Node looks at the two above only this often.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: mostHeaderBytes,
    },
    toNodeHandler(app),
  );
  server.on('clientError', answerClientError);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    stop: () => stop(server),
  };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is kept alive would be waited for without end: close each as soon as it is idle.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const late = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** What Node refuses before any route has seen it, in the words of every other error. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [code, detail] = clientErrors[error.code ?? ''] ?? (['bad_request', 'The request is not valid HTTP.'] as const);
  const { status, title } = problems[code];
  const request_id = randomUUID();
  const body = JSON.stringify({ type: `/docs/problems#${code}`, title, status, code, detail, request_id });
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${request_id}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

const clientErrors: Record<string, readonly [ProblemCode, string] | undefined> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of the request are too large.'],
};
