import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { SentRequest, ServerKind, ServerOptions, WorkerMessage, WorkerResponse } from './messages.ts';
import { TestServers } from './test-servers.ts';

const servers = new TestServers(workerData as ServerOptions);

parentPort?.on('message', (message: WorkerMessage) => void handle(message));

async function handle(message: WorkerMessage): Promise<void> {
  const { port } = message;
  try {
    if (message.type === 'reset') await servers.reset();
    else await respond(port, message.server, message.request);
    send(port, { type: 'done' });
  } catch (error) {
    send(port, { type: 'failed', message: String(error) });
  }
  port.close();
}

async function respond(port: MessagePort, server: ServerKind, sent: SentRequest): Promise<void> {
  const stopped = new AbortController();
  port.once('close', () => stopped.abort());
  const response = await servers.fetch(
    server,
    new Request(`http://localhost${sent.path}`, {
      method: sent.method,
      headers: sent.headers,
      body: sent.body as Uint8Array<ArrayBuffer> | null,
      signal: stopped.signal,
    }),
  );
  send(port, { type: 'head', status: response.status, headers: [...response.headers] });
  for await (const bytes of response.body ?? []) send(port, { type: 'chunk', bytes: bytes as Uint8Array });
}

function send(port: MessagePort, response: WorkerResponse): void {
  port.postMessage(response);
}
