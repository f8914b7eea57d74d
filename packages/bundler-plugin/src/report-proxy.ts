import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const reportPath = '/api/v1/errors';

export interface ReportProxy {
  url: string;
  close(): Promise<void>;
}

/** Starts a proxy of a server. `prepare` may change the body of each report. */
export async function startReportProxy(
  target: string,
  prepare: (body: string) => Promise<string>,
): Promise<ReportProxy> {
  const server = createServer((request, response) => {
    const isReport = request.method === 'POST' && request.url === reportPath && !request.headers['content-encoding'];
    const body = isReport ? text(request).then(prepare) : Promise.resolve(null);
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

/** Sends a request on, with another body unless it is null. */
function forward(target: string, request: IncomingMessage, response: ServerResponse, body: string | null): void {
  const { method = 'GET', url = '/', headers } = request;
  const changed = body === null ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) };
  const forwarded = sendRequest(new URL(url, target), { method, headers: changed }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.once('error', () => response.destroy());
  response.once('close', () => forwarded.destroy());
  if (body === null) request.pipe(forwarded);
  else forwarded.end(body);
}
