import { expect } from 'vitest';
import { StreamEvent } from '../../packages/protocol/src/index.ts';
import { buildRequest, type Json, type RequestOptions } from './api-call.ts';
import type { TestContext } from './context.ts';
import { adminToken } from './credentials.ts';

const timeoutMs = 60_000;

/** Reads a live stream as it arrives. Every event must satisfy the schema of stream events. */
export class StreamReader {
  readonly status: number;
  readonly headers: Headers;
  /** Everything received so far. */
  text = '';
  readonly events: { id: string; data: Json }[] = [];
  comments = 0;
  lastEventId: string | null = null;
  /** Null while the stream is open. `error`: the connection broke, or an event was invalid. */
  closedBy: 'end' | 'error' | null = null;
  /** The reason why an event is invalid. Each call that waits rejects with it, and so does `close`. */
  #invalidEvent: unknown;
  /** The index of the first event that `next` has not returned or skipped. */
  #nextIndex = 0;
  #wake: () => void = () => undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();
  #incompleteBlock = '';

  /** Opens a stream as the operator's owner unless `options` say otherwise. */
  static async open(context: TestContext, query = '', options: RequestOptions = {}): Promise<StreamReader> {
    const { server } = context;
    const request = buildRequest(server.url, 'GET', `stream${query}`, { token: adminToken, ...options });
    const reader = new StreamReader(await server.fetch(request));
    expect(reader.status).toBe(200);
    void reader.#read();
    return reader;
  }

  /** Opens a stream and reads nothing from it until `resume`. */
  static async openPaused(context: TestContext): Promise<StreamReader> {
    const { server } = context;
    return new StreamReader(await server.fetch(buildRequest(server.url, 'GET', 'stream', { token: adminToken })));
  }

  private constructor(response: Response) {
    this.status = response.status;
    this.headers = response.headers;
    this.#reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  }

  resume(): void {
    void this.#read();
  }

  get types(): string[] {
    return this.events.map(({ data }) => data.type);
  }

  /** Waits for the next event of this type and returns it. Events before it are skipped. */
  async next(type: string): Promise<Json> {
    let found = -1;
    await this.waitUntil(() => {
      found = this.events.findIndex(({ data }, index) => index >= this.#nextIndex && data.type === type);
      return found >= 0;
    }, type);
    this.#nextIndex = found + 1;
    return this.events[found]?.data;
  }

  async waitForEnd(): Promise<void> {
    await this.waitUntil(() => this.closedBy !== null, 'the end');
  }

  /** Waits until the condition holds. Rejects after the timeout; `expected` names the missing part in the message. */
  async waitUntil(condition: () => boolean, expected: string): Promise<void> {
    let isLate = false;
    const timeout = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, timeoutMs);
    try {
      for (;;) {
        if (this.#invalidEvent) throw this.#invalidEvent;
        if (condition()) return;
        if (isLate) throw new Error(`Timed out waiting for ${expected}. Received:\n${this.text.slice(-3_000)}`);
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      clearTimeout(timeout);
    }
  }

  async close(): Promise<void> {
    await this.#reader?.cancel().catch(() => undefined);
    if (this.#invalidEvent) throw this.#invalidEvent;
  }

  async #read(): Promise<void> {
    while (this.closedBy === null) {
      const next = await this.#reader?.read().catch(() => null);
      if (!next) this.closedBy = 'error';
      else if (next.done) this.closedBy = 'end';
      else this.#receive(this.#decoder.decode(next.value, { stream: true }));
    }
    this.#wake();
  }

  #receive(text: string): void {
    this.text += text;
    const blocks = (this.#incompleteBlock + text).split('\n\n');
    this.#incompleteBlock = blocks.pop() ?? '';
    try {
      for (const block of blocks) this.#receiveBlock(block.split('\n'));
    } catch (error) {
      this.#invalidEvent = error;
      this.closedBy = 'error';
    }
    this.#wake();
  }

  #receiveBlock(lines: string[]): void {
    expect(lines.filter((line) => !/^(:.*|id: \S+|retry: \d+|data: .+)$/.test(line))).toEqual([]);
    if (lines.some((line) => line.startsWith(':'))) this.comments++;
    const [id] = lines.flatMap((line) => (line.startsWith('id: ') ? line.slice(4) : []));
    const data = lines.flatMap((line) => (line.startsWith('data: ') ? line.slice(6) : []));
    if (id !== undefined) this.lastEventId = id;
    if (data.length === 0) return;
    expect(data).toHaveLength(1);
    const event = JSON.parse(data[0] ?? '') as Json;
    expect(id, 'an event has an id').toBeDefined();
    expect(StreamEvent.parse(event), 'an event has no member outside its schema').toEqual(event);
    this.events.push({ id: id ?? '', data: event });
  }
}

/** Runs `use` with an open stream of the test's project, or of the stream that the query selects. */
export async function withStreamReader(
  context: TestContext,
  use: (reader: StreamReader) => Promise<void>,
  query?: string,
): Promise<void> {
  const reader = await StreamReader.open(context, query ?? `?project_id=${await context.fixture('project')}`);
  try {
    await use(reader);
  } finally {
    await reader.close();
  }
}

/** Returns the events whose type starts with the prefix. */
export function eventsWithPrefix(reader: StreamReader, prefix: string): Json[] {
  return reader.events.map(({ data }) => data).filter(({ type }) => type.startsWith(prefix));
}
