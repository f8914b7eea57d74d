import { serveOnLoopback } from '../test-utils/serve-on-loopback.ts';

interface ProviderRequest {
  path: string;
  authorization: string | undefined;
  /** The raw body. */
  text: string;
}

export interface FakeProvider {
  /** The value for the `aiBaseUrl` setting, including `/v1`. */
  baseUrl: string;
  readonly requests: ProviderRequest[];
  /** The delay before each response. */
  delayMs: number;
  /** Returns the response to the n-th request, counted from 1. */
  respond: (attempt: number) => { status: number; body: string; headers?: Record<string, string> } | 'never';
  /** Closes the connections of all pending requests. */
  dropConnections(): void;
  /** Resolves once all clients have left, and all their requests are recorded. */
  waitUntilLeft(): Promise<void>;
  close(): Promise<void>;
}

/** Builds a chat completion response in OpenAI's format. */
export function completion(content: string): { status: number; body: string } {
  return { status: 200, body: JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }) };
}

/** Starts an OpenAI-compatible provider on this machine that records the requests it gets. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const { url, dropConnections, waitUntilLeft, close } = await serveOnLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { authorization } = request.headers;
      provider.requests.push({ path: request.url ?? '', authorization, text: Buffer.concat(chunks).toString() });
      const reply = provider.respond(provider.requests.length);
      if (reply === 'never') return;
      setTimeout(() => {
        response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
        response.end(reply.body);
      }, provider.delayMs);
    });
  });
  const provider: FakeProvider = {
    baseUrl: `${url}v1`,
    requests: [],
    delayMs: 0,
    respond: () => completion('## What happened\n\nIt broke.'),
    dropConnections,
    waitUntilLeft,
    close,
  };
  return provider;
}
