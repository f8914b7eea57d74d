import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serveOnLoopback } from '../serve-on-loopback.ts';

/** An example that is served on a loopback port. */
export interface ServedExample {
  url: string;
  close(): Promise<void>;
}

/** Builds an example of Vite into the given folder, as its `npm run build` does, and serves what came out of it. */
export async function buildAndServe(
  name: string,
  folder: string,
  settings: Record<string, string> = {},
): Promise<ServedExample> {
  const source = fileURLToPath(new URL(`../../examples/${name}/`, import.meta.url));
  const vite = join(createRequire(join(source, 'package.json')).resolve('vite/package.json'), '../bin/vite.js');
  const out = join(folder, name);
  // Vitest says `test`, and frameworks would be built with all their checks.
  const env = { ...process.env, NODE_ENV: 'production', ...settings };
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', out, '--logLevel', 'warn'], {
    cwd: source,
    env,
  });
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

/** Starts an example that has a server of its own, as its `npm start` does; resolves when it says where it is. */
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

/** Starts such an example that is expected to give up: how it ended, and what it wrote. */
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
