import { join } from 'node:path';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { SentRequest, ServerKind, ServerOptions, WorkerMessage, WorkerResponse } from './messages.ts';
import type { ServerClient } from './server-client.ts';

type WithoutPort<Message> = Message extends WorkerMessage ? Omit<Message, 'port'> : never;

/**
 * Calls the servers of a test, which run in a separate thread: the globals that happy-dom and jsdom replace, fake
 * timers, module registries and a blocked event loop of the test do not change what a server does. The thread starts
 * with the first request and does not keep the process alive.
 */
export class WorkerClient implements ServerClient {
  readonly #options: ServerOptions;
  #worker: Worker | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  fetch(server: ServerKind, request: SentRequest): Promise<Response> {
    return this.#send({ type: 'request', server, request });
  }

  async reset(): Promise<void> {
    if (this.#worker) await this.#send({ type: 'reset' });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #send(message: WithoutPort<WorkerMessage>): Promise<Response> {
    const { port1, port2 } = new MessageChannel();
    this.#worker ??= startWorker(this.#options);
    this.#worker.postMessage({ ...message, port: port2 }, [port2]);
    return receive(port1);
  }
}

function startWorker(options: ServerOptions): Worker {
  const file = join(import.meta.dirname, 'server-worker.js');
  // Without the arguments of the test runner, such as `--import` of a loader that the server does not need.
  const worker = new Worker(file, { workerData: options, execArgv: [] });
  worker.unref();
  return worker;
}

/** Resolves with what arrives at a port, as a response; an empty one if no head arrives before the end. */
function receive(port: MessagePort): Promise<Response> {
  return new Promise((resolve, reject) => {
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (body = controller),
      cancel: () => port.close(),
    });
    const fail = (error: Error): void => {
      reject(error);
      body?.error(error);
      body = undefined;
    };
    port.on('message', (response: WorkerResponse) => {
      if (response.type === 'head') resolve(createResponse(response, stream));
      else if (response.type === 'chunk') body?.enqueue(response.bytes);
      else if (response.type === 'failed') fail(new Error(response.message));
      else {
        resolve(new Response(null, { status: 204 }));
        body?.close();
        body = undefined;
        port.close();
      }
      // A live stream stays open. It must not keep the process alive.
      port.unref();
    });
    port.on('close', () => {
      if (body) fail(new Error('The thread of the mocked service has ended.'));
    });
  });
}

/** Statuses of responses that have no body. */
const bodiless = new Set([101, 204, 205, 304]);

function createResponse(
  { status, headers }: Extract<WorkerResponse, { type: 'head' }>,
  stream: ReadableStream<Uint8Array>,
): Response {
  return new Response(bodiless.has(status) ? null : stream, { status, headers });
}
