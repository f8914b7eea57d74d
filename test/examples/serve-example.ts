import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import webpack, { type Configuration } from 'webpack';
import { serveOnLoopback } from '../test-utils/serve-on-loopback.ts';

/** An example on a loopback port. */
export interface ServedExample {
  url: string;
  close(): Promise<void>;
}

/** Builds a Vite example into a folder, like its `npm run build`, and serves the result. */
export async function buildAndServe(
  name: string,
  folder: string,
  settings: Record<string, string> = {},
): Promise<ServedExample> {
  const source = fileURLToPath(new URL(`../../examples/${name}/`, import.meta.url));
  const vite = join(createRequire(join(source, 'package.json')).resolve('vite/package.json'), '../bin/vite.js');
  const out = join(folder, name);
  // Vitest sets NODE_ENV to `test`, which would build the frameworks in development mode.
  const env = { ...process.env, NODE_ENV: 'production', ...settings };
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', out, '--logLevel', 'warn'], {
    cwd: source,
    env,
  });
  return serveFolder(out);
}

/** Builds an example with its configuration of webpack into a folder, and serves the result with its page. */
export async function buildByWebpackAndServe(
  name: string,
  folder: string,
  settings: Record<string, string>,
): Promise<ServedExample> {
  const source = fileURLToPath(new URL(`../../examples/${name}/`, import.meta.url));
  const out = join(folder, name);
  await cp(join(source, 'www'), out, { recursive: true });
  for (const [setting, value] of Object.entries(settings)) vi.stubEnv(setting, value);
  const { default: configuration } = (await import(join(source, 'webpack.config.js'))) as { default: Configuration };
  const compiler = webpack({ ...configuration, context: source, output: { ...configuration.output, path: out } });
  await new Promise<void>((resolve, reject) => {
    compiler?.run((error, stats) => {
      if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString('errors-only')));
      else resolve();
    });
  }).finally(() => vi.unstubAllEnvs());
  return serveFolder(out);
}

const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

function serveFolder(folder: string): Promise<ServedExample> {
  return serveOnLoopback((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = pathname === '/' ? '/index.html' : pathname;
    readFile(join(folder, file)).then(
      (content) => response.setHeader('content-type', types[file.split('.').at(-1) ?? ''] ?? '').end(content),
      () => response.writeHead(404).end(),
    );
  });
}

/** Starts an example with its own server, like its `npm start`. Resolves when it has printed its URL. */
export async function start(name: string, settings: Record<string, string>): Promise<ServedExample> {
  const child = spawnExample(name, settings);
  child.stderr?.pipe(process.stderr);
  return {
    url: await printedUrl(child),
    async close() {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    },
  };
}

/** Starts an example with its own server and waits until it ends. Resolves with its exit code and output. */
export async function startInVain(
  name: string,
  settings: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawnExample(name, settings);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

function spawnExample(name: string, settings: Record<string, string>): ChildProcess {
  const cwd = fileURLToPath(new URL(`../../examples/${name}/`, import.meta.url));
  const env = { ...process.env, PORT: '0', ...settings };
  return spawn(process.execPath, ['serve.mjs'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

function printedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk;
      const url = /Open (\S+)\n/.exec(output)?.[1];
      if (url) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`The example stopped with ${code}.\n${output}`)));
  });
}
