import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../../../test/test-utils/free-port.ts';
import { temporaryFolder } from '../test-utils/describe-service.ts';

/** True if Redis is installed. Otherwise the tests that need it are skipped, with a warning. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.warn('redis-server is not installed. The tests of the Redis driver are skipped.');

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Starts Redis again on the same port and folder. */
  start(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

const servers = new Set<RedisServer>();

/** Starts a separate Redis on a free port. Its folder is removed after the test. */
export async function startRedis(...settings: string[]): Promise<RedisServer> {
  const folder = await temporaryFolder();
  const port = await freePort();
  let running: ChildProcess | null = null;
  const server: RedisServer = {
    port,
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const common = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
      running = spawn('redis-server', [...common, '--appendonly', 'yes', '--appendfsync', 'always', ...settings]);
      let output = '';
      await new Promise<void>((resolve, reject) => {
        running?.stdout?.on('data', (chunk: Buffer) => {
          output += chunk.toString();
          if (output.includes('Ready to accept connections')) resolve();
        });
        running?.once('exit', () => reject(new Error(`redis-server exited:\n${output}`)));
      });
    },
    async kill() {
      const ended = running?.exitCode === null && running.signalCode === null && once(running, 'exit');
      running?.kill('SIGKILL');
      await ended;
    },
    signal: (signal) => void running?.kill(signal),
  };
  servers.add(server);
  await server.start();
  return server;
}

export async function stopRedisServers(): Promise<void> {
  for (const server of servers) await server.kill();
  servers.clear();
}
