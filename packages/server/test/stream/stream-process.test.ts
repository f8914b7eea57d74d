import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { killPrograms, listening, token } from '../commands/program.ts';
import { cleanUp, temporaryFolder } from '../test-utils/service.ts';

afterEach(async () => {
  killPrograms();
  await cleanUp();
});

interface Told {
  id: string;
  type: string;
  group: number;
  count: number;
}

/** A reader of the live stream on a plain socket, which can stop to read. */
class Reader {
  readonly socket: Socket;
  text = '';
  isClosed = false;

  constructor(url: string, lastEventId: string | null = null) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', (chunk: Buffer) => (this.text += chunk.toString('latin1')));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.isClosed = true));
    const resume = lastEventId === null ? '' : `Last-Event-ID: ${lastEventId}\r\n`;
    this.socket.write(
      `GET /api/v1/stream HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n${resume}\r\n`,
    );
  }

  /** Whole events only: what was torn off has not come. */
  get told(): Told[] {
    return Array.from(
      this.text.replaceAll(/\r\n[\da-f]+\r\n/g, '').matchAll(/id: (\S+)\ndata: (\{.*\})\n\n/g),
      ([, id = '', data = '']) => {
        const { type, group } = JSON.parse(data) as { type: string; group?: { error_group_id: number; count: number } };
        return { id, type, group: group?.error_group_id ?? 0, count: group?.count ?? 0 };
      },
    );
  }

  get lastEventId(): string {
    return Array.from(this.text.matchAll(/^id: (\S+)$/gm), ([, id]) => id).at(-1) ?? '';
  }
}

async function call<Json>(url: string, method: string, path: string, body?: unknown): Promise<Json> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Json;
}

const begin = (url: string) => call<{ api_key: string }>(url, 'POST', 'projects', { name: 'Shop' });

test('a server that is killed misses nothing: whoever comes back is told of all that was answered', async () => {
  const args = ['--storage', `file:${await temporaryFolder()}`];
  const env = { SERVICE_ADMIN_PASSWORD: 'correct horse battery' };
  let server = await listening(args, env);
  const { api_key: project_api_key } = await begin(server.url);
  const counts = new Map<number, number>();
  let reader = new Reader(server.url);
  await expect.poll(() => reader.text).toContain('retry: 1000');
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 40; count++) {
      const message = `Broken ${'abcdefgh'[count % 8]} ${'xyz'[round]}`;
      await call(server.url, 'POST', 'errors', { project_api_key, message });
    }
    const isKilled = server.exited;
    server.child.kill('SIGKILL');
    await isKilled;
    await expect.poll(() => reader.isClosed).toBe(true);
    for (const { group, count } of reader.told) if (group) counts.set(group, count);
    server = await listening(args, env);
    reader = new Reader(server.url, reader.lastEventId);
    await expect.poll(() => reader.told.some(({ type }) => type === 'usage.updated')).toBe(true);
    expect(reader.told.map(({ type }) => type)).not.toContain('reset');
    for (const { group, count } of reader.told) if (group) counts.set(group, count);
    expect([...counts.values()]).toEqual(Array.from({ length: 8 * (round + 1) }, () => 5));
  }
}, 120_000);

test('a reader that stops to read is cut off, and is told the rest when it comes back', async () => {
  const server = await listening(['--storage', 'memory:'], { SERVICE_ADMIN_PASSWORD: 'correct horse battery' });
  const { api_key: project_api_key } = await begin(server.url);
  const asleep = new Reader(server.url);
  await expect.poll(() => asleep.text).toContain('retry: 1000');
  asleep.socket.pause();
  let sent = 0;
  const isCut = async (): Promise<boolean> => {
    const response = await fetch(`${server.url}/metrics`);
    return /^service_stream_readers_behind_total 1$/m.test(await response.text());
  };
  // What the kernel takes for the reader comes first, some megabytes of it.
  while (!(await isCut()))
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const kind = sent++ % 150;
        const letters = String(kind).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
        const long = { environment: `${'e'.repeat(60)}${index % 20}`, release: 'r'.repeat(200) };
        const message = `Broken ${letters} ${'x'.repeat(280)}`;
        return call(server.url, 'POST', 'errors', { project_api_key, message, ...long });
      }),
    );
  asleep.socket.resume();
  await expect.poll(() => asleep.isClosed, { timeout: 10_000 }).toBe(true);
  const again = new Reader(server.url, asleep.lastEventId);
  await expect.poll(() => again.told.some(({ type }) => /usage|reset/.test(type)), { timeout: 10_000 }).toBe(true);
  if (again.told.some(({ type }) => type === 'reset')) return;
  const counts = new Map([...asleep.told, ...again.told].map(({ group, count }) => [group, count]));
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(sent);
}, 120_000);
