import { expect } from 'vitest';
import { StreamEvent } from '../../packages/protocol/src/index.ts';
import { toRequest, type Ask, type Json } from './answer.ts';
import { adminPassword } from './places.ts';
import { adminToken, type Scene } from './scene.ts';

const patienceMs = 10_000;

/** A live stream that is read as it comes. Every event is held against what the contract says of all. */
export class Listening {
  readonly status: number;
  readonly headers: Headers;
  /** All that has come so far. */
  text = '';
  readonly events: { id: string; data: Json }[] = [];
  comments = 0;
  lastEventId: string | null = null;
  /** How it ended, once it has. */
  isOver: 'ended' | 'cut' | null = null;
  /** What went wrong while it was read. */
  #trouble: unknown;
  #taken = 0;
  #wake: () => void = () => undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();
  #rest = '';

  /** Opens a stream, as the operator's owner unless said otherwise. */
  static async open(scene: Scene, query = '', ask: Ask = {}): Promise<Listening> {
    const { server } = scene;
    const request = toRequest(server.url, 'GET', `stream${query}`, { token: adminToken, ...ask });
    const listening = new Listening(await server.fetch(request));
    expect(listening.status).toBe(200);
    void listening.#read();
    return listening;
  }

  /** As `open`, for who takes nothing of it. */
  static async fallAsleep(scene: Scene): Promise<Listening> {
    const { server } = scene;
    return new Listening(await server.fetch(toRequest(server.url, 'GET', 'stream', { token: adminToken })));
  }

  private constructor(response: Response) {
    this.status = response.status;
    this.headers = response.headers;
    this.#reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  }

  wakeUp(): void {
    void this.#read();
  }

  get types(): string[] {
    return this.events.map(({ data }) => data.type);
  }

  /** The next event of this kind, if need be waited for. Those before it are passed over. */
  async next(type: string): Promise<Json> {
    let found = -1;
    await this.until(() => {
      found = this.events.findIndex(({ data }, index) => index >= this.#taken && data.type === type);
      return found >= 0;
    }, type);
    this.#taken = found + 1;
    return this.events[found]?.data;
  }

  async ended(): Promise<void> {
    await this.until(() => this.isOver !== null, 'the end');
  }

  async until(isSo: () => boolean, what: string): Promise<void> {
    const late = setTimeout(() => {
      this.#trouble ??= new Error(`${what} did not come. What came:\n${this.text.slice(-3_000)}`);
      this.#wake();
    }, patienceMs);
    try {
      while (!isSo()) {
        if (this.#trouble) throw this.#trouble;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      clearTimeout(late);
    }
  }

  async close(): Promise<void> {
    await this.#reader?.cancel().catch(() => undefined);
  }

  async #read(): Promise<void> {
    try {
      for (let next = await this.#reader?.read(); next && !next.done; next = await this.#reader?.read())
        this.#take(this.#decoder.decode(next.value, { stream: true }));
      this.isOver = 'ended';
    } catch (error) {
      if (error instanceof Error && error.name === 'AssertionError') this.#trouble = error;
      this.isOver = 'cut';
    }
    this.#wake();
  }

  #take(text: string): void {
    this.text += text;
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#takeBlock(block.split('\n'));
    this.#wake();
  }

  #takeBlock(lines: string[]): void {
    expect(lines.filter((line) => !/^(:.*|id: \S+|retry: \d+|data: .+)$/.test(line))).toEqual([]);
    if (lines.some((line) => line.startsWith(':'))) this.comments++;
    const [id] = lines.flatMap((line) => (line.startsWith('id: ') ? line.slice(4) : []));
    const data = lines.flatMap((line) => (line.startsWith('data: ') ? line.slice(6) : []));
    if (id !== undefined) this.lastEventId = id;
    if (data.length === 0) return;
    expect(data).toHaveLength(1);
    const event = JSON.parse(data[0] ?? '') as Json;
    expect(id, 'an event has an id').toBeDefined();
    expect(StreamEvent.parse(event), 'nothing but what is described').toEqual(event);
    this.events.push({ id: id ?? '', data: event });
  }
}

/** Does something while somebody listens to the project of this test, or to what the query says. */
export async function whileListening(
  scene: Scene,
  use: (reader: Listening) => Promise<void>,
  query?: string,
): Promise<void> {
  const reader = await Listening.open(scene, query ?? `?project_id=${await scene.know('project')}`);
  try {
    await use(reader);
  } finally {
    await reader.close();
  }
}

export async function setStatus(scene: Scene, group: number, status: string): Promise<Json> {
  return scene.get(200, 'PATCH', `errors/${group}/status`, { body: { status } });
}

/** A cookie of the operator's owner, as a browser sends it. */
export async function cookie(scene: Scene): Promise<string> {
  const body = { email: 'admin@localhost', password: adminPassword };
  const { headers } = await scene.call('POST', 'auth/session', { token: null, body });
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

export function eventsOf(reader: Listening, prefix: string): Json[] {
  return reader.events.map(({ data }) => data).filter(({ type }) => type.startsWith(prefix));
}

/** A number in letters: digits do not tell groups apart. */
export function letters(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
}
