import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const reportPath = '/api/v1/errors';
/** A page needs nothing else of the server. */
const apiPath = '/api/';
/** The server rejects larger reports. */
const maxReportBytes = 1024 * 1024;

export interface ReportProxy {
  url: string;
  close(): Promise<void>;
}

/** Starts a proxy of the API of a server. `prepare` may change the body of an uncompressed report. */
export async function startReportProxy(
  target: string,
  prepare: (body: string) => Promise<string>,
): Promise<ReportProxy> {
  const server = createServer((request, response) => {
    if (!request.url?.startsWith(apiPath)) return void response.writeHead(404).end();
    const body = isReport(request) ? text(request).then(prepare) : Promise.resolve(null);
    body.then((prepared) => forward(target, request, response, prepared)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Returns whether a request is a report that the proxy can change: uncompressed JSON with a declared length that the
 * server accepts. All other requests are forwarded unchanged.
 */
function isReport({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    url === reportPath &&
    !headers['content-encoding'] &&
    /^application\/json\b/i.test(headers['content-type'] ?? '') &&
    Number(headers['content-length'] ?? Infinity) <= maxReportBytes
  );
}

/** Forwards a request. Replaces its body with `body`, or streams the original one if `body` is null. */
function forward(target: string, request: IncomingMessage, response: ServerResponse, body: string | null): void {
  const { method = 'GET', url = '/', headers } = request;
  const changed = body === null ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) };
  // Connects to the host of the target, even if the URL names another host, such as `//host/path`.
  const { hostname, port } = new URL(target);
  const forwarded = sendRequest({ hostname, port, path: url, method, headers: changed }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.once('error', () => response.destroy());
  response.once('close', () => forwarded.destroy());
  if (body === null) request.pipe(forwarded);
  else forwarded.end(body);
}
