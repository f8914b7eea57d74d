import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export const adminToken = 'test-admin-token-0123456789';

const bin = fileURLToPath(new URL('../../bin/service-server.js', import.meta.url));
const built = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const watch = new URL('watch.mjs', import.meta.url).href;

/** The built server in its own process, with probes of its event loop and memory. */
export interface WatchedServer {
  url: URL;
  /** The id of the process. */
  pid: number;
  /** Returns the maximum of the memory and the longest turn of the event loop, in CPU time, since the last call. */
  takePeaks(): Promise<{ rssMb: number; turnMs: number }>;
  /** Returns the memory after a garbage collection. */
  settledRssMb(): Promise<number>;
  /** Returns the lines of the log, at level `error` and above, and those of the error output. */
  errorLog(): string[];
  isAlive(): boolean;
  call<Json = Record<string, unknown>>(
    method: string,
    path: string,
    init?: { body?: unknown; headers?: Record<string, string>; token?: string },
  ): Promise<{ status: number; body: Json }>;
  /** Sends raw bytes. Resolves with the response once the connection ends, `until` matches or `leave` resolves. */
  send(
    pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
    until?: RegExp,
    leave?: Promise<void>,
  ): Promise<string>;
  stop(): Promise<number | null>;
  /** Ends the process without a chance to write anything. */
  kill(): Promise<void>;
}

export async function startWatched(storage: string, env: Record<string, string> = {}): Promise<WatchedServer> {
  if (!existsSync(built)) throw new Error('The server is not built: run `npm run setup` first, as `npm test` does.');
  const child = spawn(process.execPath, ['--expose-gc', '--import', watch, bin, '--port', '0', '--storage', storage], {
    env: {
      PATH: process.env.PATH,
      SERVICE_ADMIN_TOKEN: adminToken,
      SERVICE_ADMIN_PASSWORD: 'correct horse battery',
      SERVICE_LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const peaks = { rss: 0, turnMs: 0 };
  /** Callers that wait for the response to a command, oldest first. */
  const waiting: ((rss: number) => void)[] = [];
  const errors: string[] = [];
  lines(child.stdio[3] as Readable, (line) => {
    const { rss, turnMs, command } = JSON.parse(line) as { rss: number; turnMs: number; command?: string };
    peaks.rss = Math.max(peaks.rss, rss);
    peaks.turnMs = Math.max(peaks.turnMs, turnMs);
    if (command !== undefined) waiting.shift()?.(rss);
  });
  /** Sends a command to `watch.mjs` and resolves with the memory in bytes. */
  const run = (command: 'gc' | 'peaks'): Promise<number> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      (child.stdio[4] as Writable).write(`${command}\n`);
    });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await new Promise<URL>((resolve, reject) => {
    lines(child.stdout as Readable, (line) => {
      const found = /^Listening: (\S+)/.exec(line)?.[1];
      if (found) resolve(new URL(found));
      if (line.startsWith('{')) errors.push(line);
    });
    lines(child.stderr as Readable, (line) => errors.push(line));
    void exited.then((code) => reject(new Error(`The server exited with ${code}.\n${errors.join('\n')}`)));
  });
  return {
    url,
    pid: child.pid!,
    async takePeaks() {
      await run('peaks');
      const result = { rssMb: peaks.rss / 2 ** 20, turnMs: peaks.turnMs };
      peaks.rss = 0;
      peaks.turnMs = 0;
      return result;
    },
    settledRssMb: async () => (await run('gc')) / 2 ** 20,
    errorLog: () => errors,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async call<Json>(
      method: string,
      path: string,
      {
        body,
        headers = {},
        token = adminToken,
      }: { body?: unknown; headers?: Record<string, string>; token?: string } = {},
    ) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
      const response = await fetch(new URL(`/api/v1/${path}`, url), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: (isRaw ? body : JSON.stringify(body)) as NonNullable<RequestInit['body']> }),
      });
      const text = await response.text();
      return {
        status: response.status,
        body: (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {}) as Json,
      };
    },
    send: (pieces, until, leave) => send(url, pieces, until, leave),
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function lines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) onLine(line);
  });
}

function send(
  url: URL,
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  until?: RegExp,
  leave?: Promise<void>,
): Promise<string> {
  return new Promise((resolve) => {
    let response = '';
    const socket = connect(Number(url.port), url.hostname);
    socket.on('data', (chunk: Buffer) => {
      response += chunk.toString('latin1');
      if (until?.test(response)) socket.destroy();
    });
    // A write after the server has closed fails, but the response has already arrived.
    socket.on('error', () => undefined);
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    void leave?.then(() => socket.destroy());
    void closed.then(() => resolve(response));
    void (async () => {
      for await (const piece of pieces) {
        if (socket.destroyed) return;
        if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
      }
    })();
  });
}
