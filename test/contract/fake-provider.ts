import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  path: string;
  authorization: string | undefined;
  /** The body as it came. */
  text: string;
}

export interface FakeProvider {
  /** What the setting is: with its `/v1`. */
  baseUrl: string;
  readonly asked: Asked[];
  /** How long it thinks. */
  delayMs: number;
  /** How it answers from now on. */
  answer: (attempt: number) => { status: number; body: string; headers?: Record<string, string> } | 'never';
  /** Hangs up on everybody who waits for an answer. */
  hangUp(): void;
  close(): Promise<void>;
}

/** An answer in the form of OpenAI. */
export function completion(content: string): { status: number; body: string } {
  return { status: 200, body: JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }) };
}

/** An OpenAI-compatible provider on this machine that keeps what it was asked. */
export async function startProvider(): Promise<FakeProvider> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { authorization } = request.headers;
      provider.asked.push({ path: request.url ?? '', authorization, text: Buffer.concat(chunks).toString() });
      const answer = provider.answer(provider.asked.length);
      if (answer === 'never') return;
      setTimeout(() => {
        response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
        response.end(answer.body);
      }, provider.delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: FakeProvider = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: [],
    delayMs: 0,
    answer: () => completion('## What happened\n\nIt broke.'),
    hangUp: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}
