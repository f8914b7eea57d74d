import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test-utils/free-port.ts';

const script = fileURLToPath(new URL('../../examples/demo/src/start.mjs', import.meta.url));
const builds = ['packages/server/dist/index.js', 'packages/browser/dist/index.iife.js', 'examples/demo/dist'];

/** A process of the demo, started like `npm start`. */
export interface DemoProcess {
  /** The values that the demo printed after these labels. */
  dashboard: string;
  demo: string;
  signIn: string;
  /** Printed on the first start only. */
  owner: { email: string; password: string } | null;
  projectKey: string;
  /** Stops the demo like Ctrl+C. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

const running = new Set<ChildProcess>();

/** Starts the demo on a free port. Resolves when it has printed its URLs and the key of the project. */
export async function startDemo(storage: string, settings: Record<string, string> = {}): Promise<DemoProcess> {
  const child = spawnDemo({ SERVICE_PORT: String(await freePort()), SERVICE_STORAGE: storage, ...settings });
  const output = await greeting(child);
  const read = (label: string): string | undefined => new RegExp(`${label}: (.+)`).exec(output)?.[1];
  const [email, password] = read('Owner')?.split(' / ') ?? [];
  return {
    dashboard: read('Dashboard') ?? '',
    demo: read('Demo') ?? '',
    signIn: read('Sign in') ?? '',
    owner: email && password ? { email, password } : null,
    projectKey: read('Project key') ?? '',
    async stop() {
      child.kill('SIGINT');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

/** Starts a demo and expects it to fail. Resolves with its exit code and all lines of output. */
export async function runDemo(settings: Record<string, string>): Promise<{ code: number | null; lines: string[] }> {
  const child = spawnDemo(settings);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, lines: output.trim().split('\n') };
}

/** Kills the demos that are still running. */
export async function killDemos(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      return exit;
    }),
  );
}

function spawnDemo(settings: Record<string, string>): ChildProcess {
  for (const path of builds) {
    if (!existsSync(new URL(`../../${path}`, import.meta.url)))
      throw new Error(`${path} is missing: run \`npm run setup\` first.`);
  }
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_'));
  const child = spawn(process.execPath, [script], {
    env: { ...Object.fromEntries(own), SERVICE_LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

function greeting(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk;
      if (/Project key: .+\n/.test(output)) resolve(output);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`The demo stopped with ${code} before it was ready.\n${output}`)));
  });
}
