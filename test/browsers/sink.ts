import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { ErrorReport } from '../../packages/browser/src/index.ts';

/** A received request. */
interface SinkRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The response to a report; null resets the connection. */
type SinkResponse = { status: number; headers?: Record<string, string> } | null;

/** A fake of the server's `/api/v1/errors` for one page. Stores each request. */
export interface Sink {
  /** The `endpoint` option for init(). */
  endpoint: string;
  /** All requests, preflights too, oldest first. */
  requests: SinkRequest[];
  /** Returns the response to the report with this index. A pending promise delays the response. */
  response: (index: number) => SinkResponse | Promise<SinkResponse>;
  /** Returns whether an origin gets CORS headers. All origins do by default. */
  allows: (origin: string) => boolean;
  /** Returns all requests with a report so far. */
  posts(): SinkRequest[];
  /** Resolves with all reports, once there are at least `count`. */
  reports(count: number): Promise<ErrorReport[]>;
}

export interface SinkServer {
  /** Creates a separate sink for one test. */
  open(): Sink;
  close(): Promise<void>;
}

/** Listens on a separate loopback port, so that the requests of pages are cross-origin. */
export async function startSinkServer(): Promise<SinkServer> {
  const sinks: Sink[] = [];
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, number, path] = /^\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const sink = sinks[Number(number)];
    const body = await readText(request);
    // A previous page may still send a request, and abort it.
    if (!sink || body === null || path === '/unreachable') return void response.destroy();

    sink.requests.push({ method: request.method ?? '', url: path ?? '', headers: request.headers, body });
    const { origin } = request.headers;
    if (origin && sink.allows(origin)) response.setHeader('access-control-allow-origin', origin);
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-headers', 'content-type');
      return void response.writeHead(204).end();
    }
    const chosen = isReport(sink.requests.at(-1)) ? await sink.response(sink.posts().length - 1) : { status: 200 };
    if (!chosen) return void response.destroy();
    response.setHeader('access-control-expose-headers', 'Retry-After, X-Request-Id');
    response.writeHead(chosen.status, { 'content-type': 'application/json', ...chosen.headers });
    response.end(chosen.status < 300 ? JSON.stringify(accepted) : '{}');
  }

  return {
    open() {
      const sink: Sink = {
        endpoint: `http://127.0.0.1:${port}/${sinks.length}`,
        requests: [],
        response: () => ({ status: 200 }),
        allows: () => true,
        posts: () => sink.requests.filter(isReport),
        async reports(count) {
          await expect.poll(() => sink.posts().length, { message: 'received reports' }).toBeGreaterThanOrEqual(count);
          return sink.posts().map(({ body }) => JSON.parse(body) as ErrorReport);
        },
      };
      sinks.push(sink);
      return sink;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const accepted = { success: true, error_group_id: 1, fingerprint: 'f'.repeat(32), is_new_group: true };

function isReport(request: SinkRequest | undefined): boolean {
  return request?.method === 'POST' && request.url === '/api/v1/errors';
}

/** Reads the body. Returns null if the client aborted the request. */
async function readText(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of request) pieces.push(piece as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(pieces).toString();
}
