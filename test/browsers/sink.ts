import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { Report } from '../../packages/browser/src/index.ts';

/** A request that came in, as it was on the wire. */
interface SinkRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How a report is answered; null tears the connection. */
type SinkAnswer = { status: number; headers?: Record<string, string> } | null;

/** Plays the server's `/api/v1/errors` for one page, and writes down what comes. */
export interface Sink {
  /** The base URL that init() is given. */
  endpoint: string;
  /** All that came, preflights too, oldest first. */
  requests: SinkRequest[];
  /** How the report with this number, from 0, is answered; what it waits for keeps the page waiting. */
  answer: (index: number) => SinkAnswer | Promise<SinkAnswer>;
  /** Which origins get CORS headers: all, to begin with. */
  allows: (origin: string) => boolean;
  /** What was posted to `/api/v1/errors` so far. */
  posts(): SinkRequest[];
  /** The reports that have come, once there are as many as that. */
  reports(count: number): Promise<Report[]>;
}

export interface SinkServer {
  /** A sink of its own, for one test. */
  open(): Sink;
  close(): Promise<void>;
}

/** Listens on a loopback port of its own, so that the pages' requests cross origins as they do in life. */
export async function startSinkServer(): Promise<SinkServer> {
  const sinks: Sink[] = [];
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, number, path] = /^\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const sink = sinks[Number(number)];
    const body = await readText(request);
    // A page that was left may still have something to say, and tears it off.
    if (!sink || body === null || path === '/torn') return void response.destroy();

    sink.requests.push({ method: request.method ?? '', url: path ?? '', headers: request.headers, body });
    const { origin } = request.headers;
    if (origin && sink.allows(origin)) response.setHeader('access-control-allow-origin', origin);
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-headers', 'content-type');
      return void response.writeHead(204).end();
    }
    const answer = isReport(sink.requests.at(-1)) ? await sink.answer(sink.posts().length - 1) : { status: 200 };
    if (!answer) return void response.destroy();
    response.setHeader('access-control-expose-headers', 'Retry-After, X-Request-Id');
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.status < 300 ? JSON.stringify(accepted) : '{}');
  }

  return {
    open() {
      const sink: Sink = {
        endpoint: `http://127.0.0.1:${port}/${sinks.length}`,
        requests: [],
        answer: () => ({ status: 200 }),
        allows: () => true,
        posts: () => sink.requests.filter(isReport),
        async reports(count) {
          await expect.poll(() => sink.posts().length, { message: 'reports that came' }).toBeGreaterThanOrEqual(count);
          return sink.posts().map(({ body }) => JSON.parse(body) as Report);
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

/** The body, or null if the client broke it off. */
async function readText(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of request) pieces.push(piece as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(pieces).toString();
}
