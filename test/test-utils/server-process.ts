import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const adminToken = 'test-admin-token-0123456789';

const bin = fileURLToPath(new URL('../../packages/server/bin/service-server.js', import.meta.url));
const built = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url));

/** The built server, running as a child process. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Resolves with the exit code of the process, or with null if a signal ended it. */
  exited: Promise<number | null>;
  /** Sends SIGKILL: the process writes nothing more, and pending requests get no response. */
  kill(): Promise<void>;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Sends a DELETE request. Resolves with the status. */
  remove(path: string): Promise<number>;
}

/**
 * Starts the server and resolves once it listens. `wrapper` is a command to run it under, such as strace. `settings`
 * are further environment variables. `program` is another version of the server.
 */
export async function startServer(
  storage: string,
  wrapper: string[] = [],
  settings: Record<string, string> = {},
  program = bin,
): Promise<ServerProcess> {
  if (!existsSync(built)) throw new Error('The server is not built: run `npm run setup` first, as `npm test` does.');
  const [command = '', ...args] = [
    ...wrapper,
    process.execPath,
    program,
    '--port',
    settings.SERVICE_PORT ?? '0',
    '--storage',
    storage,
  ];
  const child = spawn(command, args, {
    env: {
      ...process.env,
      SERVICE_ADMIN_TOKEN: adminToken,
      SERVICE_ADMIN_PASSWORD: 'correct horse battery',
      SERVICE_LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await listeningUrl(child);
  return {
    url,
    pid: child.pid ?? 0,
    exited,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async call(method, path, body) {
      const response = await fetch(`${url}/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    async remove(path) {
      const headers = { authorization: `Bearer ${adminToken}` };
      return (await fetch(`${url}/api/v1/${path}`, { method: 'DELETE', headers })).status;
    },
  };
}

/** Resolves with the URL that a server prints when it listens. Rejects if it ends before. */
export function listeningUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /Listening: (\S+)/.exec(output)?.[1];
      if (url) resolve(url);
      // A line of the log, not of the greeting. At this log level it reports a defect.
      if (chunk.toString().startsWith('{')) process.stderr.write(chunk);
    });
    child.once('exit', (code) => reject(new Error(`The server stopped with ${code} before it listened.\n${output}`)));
  });
}
