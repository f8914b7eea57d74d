import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { toLetters } from '../../../../test/test-utils/to-letters.ts';
import { killPrograms, startServer, token } from '../commands/program.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';

afterEach(async () => {
  killPrograms();
  await cleanUp();
});

interface ReceivedEvent {
  id: string;
  type: string;
  group: number;
  count: number;
}

/** A client of the live stream on a plain socket, which can stop reading. */
class StreamClient {
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

  /** Complete events only. */
  get events(): ReceivedEvent[] {
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

test('a stream resumed after the server was killed receives every acknowledged report', async () => {
  const args = ['--storage', `file:${await temporaryFolder()}`];
  const env = { SERVICE_ADMIN_PASSWORD: 'correct horse battery' };
  let server = await startServer(args, env);
  const { api_key: project_api_key } = await begin(server.url);
  const counts = new Map<number, number>();
  let client = new StreamClient(server.url);
  await expect.poll(() => client.text).toContain('retry: 1000');
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 40; count++) {
      const message = `Broken ${'abcdefgh'[count % 8]} ${'xyz'[round]}`;
      await call(server.url, 'POST', 'errors', { project_api_key, message });
    }
    const isKilled = server.exited;
    server.child.kill('SIGKILL');
    await isKilled;
    await expect.poll(() => client.isClosed).toBe(true);
    for (const { group, count } of client.events) if (group) counts.set(group, count);
    server = await startServer(args, env);
    client = new StreamClient(server.url, client.lastEventId);
    await expect.poll(() => client.events.some(({ type }) => type === 'usage.updated')).toBe(true);
    expect(client.events.map(({ type }) => type)).not.toContain('reset');
    for (const { group, count } of client.events) if (group) counts.set(group, count);
    expect([...counts.values()]).toEqual(Array.from({ length: 8 * (round + 1) }, () => 5));
  }
});

test('a client that stops reading is disconnected, and receives the rest or a reset when it reconnects', async () => {
  const server = await startServer(['--storage', 'memory:'], { SERVICE_ADMIN_PASSWORD: 'correct horse battery' });
  const { api_key: project_api_key } = await begin(server.url);
  const stalled = new StreamClient(server.url);
  await expect.poll(() => stalled.text).toContain('retry: 1000');
  stalled.socket.pause();
  let sent = 0;
  const isCut = async (): Promise<boolean> => {
    const response = await fetch(`${server.url}/metrics`);
    return /^service_stream_readers_behind_total 1$/m.test(await response.text());
  };
  // The kernel first buffers some megabytes for the client.
  while (!(await isCut()))
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const kind = sent++ % 150;
        const long = { environment: `${'e'.repeat(60)}${index % 20}`, release: 'r'.repeat(200) };
        const message = `Broken ${toLetters(kind)} ${'x'.repeat(280)}`;
        return call(server.url, 'POST', 'errors', { project_api_key, message, ...long });
      }),
    );
  stalled.socket.resume();
  await expect.poll(() => stalled.isClosed).toBe(true);
  const resumed = new StreamClient(server.url, stalled.lastEventId);
  await expect.poll(() => resumed.events.some(({ type }) => /usage|reset/.test(type))).toBe(true);
  if (resumed.events.some(({ type }) => type === 'reset')) return;
  const counts = new Map([...stalled.events, ...resumed.events].map(({ group, count }) => [group, count]));
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(sent);
});
