import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageHeader, type PageMessage } from '../browser/page-message.ts';
import { WorkerClient } from './worker-client.ts';

/** A page that is reloaded does not close its servers, so the oldest are closed. */
const maxPages = 16;

/** The mocked servers for the pages of a development server: those of the pages that sent the latest requests. */
export class PageServers {
  readonly #clients = new Map<string, WorkerClient>();

  /** Responds to a message of a page. Rejects if the page has ended the request or the mocked server fails. */
  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const header = request.headers[messageHeader];
    if (typeof header !== 'string' || request.method !== 'POST') return void response.writeHead(400).end();
    const id = request.url ?? '';
    const message = JSON.parse(decodeURIComponent(header)) as PageMessage;
    const { status, headers, body } = await this.#handle(id, message, request);
    // Vite adds CORS headers to every response. Only the mocked server decides which pages may read it.
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.writeHead(status, { ...Object.fromEntries(headers), [messageHeader]: '1' });
    if (body === null) response.end();
    else await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response);
  }

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map((client) => client.close()));
  }

  async #handle(id: string, message: PageMessage, incoming: IncomingMessage): Promise<Response> {
    const known = this.#clients.get(id);
    if (message.type === 'request') {
      const client = known ?? new WorkerClient(message.options);
      await this.#keep(id, client);
      const body = await buffer(incoming);
      return client.fetch(message.server, { ...message.request, body: message.hasBody ? new Uint8Array(body) : null });
    }
    if (message.type === 'close') this.#clients.delete(id);
    await known?.[message.type]();
    return new Response(null, { status: 204 });
  }

  /** Makes the servers of a page the latest. Closes the oldest if there are more than `maxPages`. */
  async #keep(id: string, client: WorkerClient): Promise<void> {
    this.#clients.delete(id);
    this.#clients.set(id, client);
    const [oldest] = this.#clients;
    if (this.#clients.size <= maxPages || !oldest) return;
    this.#clients.delete(oldest[0]);
    await oldest[1].close();
  }
}
