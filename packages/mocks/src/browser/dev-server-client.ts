import { bypass } from 'msw';
import type { SentRequest, ServerKind, ServerOptions } from '../server/messages.ts';
import type { ServerClient } from '../server/server-client.ts';
import { messageHeader, serversPath, type PageMessage } from './page-message.ts';

/** The `fetch` of the page before the SDK patches it, so that these requests become no breadcrumbs of the app. */
const pageFetch = globalThis.fetch;

/** Calls the servers of a page, which run in the process of Vite. */
export class DevServerClient implements ServerClient {
  readonly #options: ServerOptions;
  /** Pages that run at the same time do not see the reports of each other. */
  readonly #id = crypto.randomUUID();
  #isStarted = false;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  fetch(server: ServerKind, { body, ...request }: SentRequest): Promise<Response> {
    this.#isStarted = true;
    const hasBody = body !== null;
    return this.#send({ type: 'request', options: this.#options, server, request, hasBody }, body);
  }

  async reset(): Promise<void> {
    if (this.#isStarted) await this.#send({ type: 'reset' });
  }

  async close(): Promise<void> {
    if (this.#isStarted) await this.#send({ type: 'close' });
    this.#isStarted = false;
  }

  async #send(message: PageMessage, body: Uint8Array | null = null): Promise<Response> {
    const request = new Request(new URL(`${serversPath}/${this.#id}`, location.href), {
      method: 'POST',
      headers: { [messageHeader]: encodeURIComponent(JSON.stringify(message)) },
      body: body as Uint8Array<ArrayBuffer> | null,
    });
    // No handler of msw gets this request.
    const response = await pageFetch.call(globalThis, bypass(request));
    if (response.headers.has(messageHeader)) return response;
    throw new Error('The mocked service needs the plugin serviceMocks() of @service/mocks/vite in the config of Vite.');
  }
}
