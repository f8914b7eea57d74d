import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const projects = fileURLToPath(new URL('field/', import.meta.url));

/** A project of a user in its own folder, with the tarball installed. */
export interface FieldProject {
  folder: string;
  /** Runs a script of its package.json. Returns everything that it writes. Rejects if it fails. */
  script(name: string): Promise<string>;
  /** Starts a script that serves pages. Resolves with the URL that it writes first. */
  serve(name: string): Promise<{ url: string; stop(): Promise<void> }>;
  remove(): Promise<void>;
}

/** The variables of a user's terminal. Vitest sets NODE_ENV, which bundlers and frameworks read. */
function userEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(NODE_ENV|NODE_OPTIONS|VITEST.*|npm_.*|TEST)$/.test(name),
  );
  return { ...Object.fromEntries(own), CI: '1', NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: undefined };
}

/** Copies a project of `field/` and installs its dependencies by npm, from the registry and the tarball. */
export async function installProject(name: string, tarball: string): Promise<FieldProject> {
  const folder = await mkdtemp(join(tmpdir(), `service-field-${name}-`));
  await cp(join(projects, name), folder, { recursive: true });
  await copyFile(tarball, join(folder, 'browser.tgz'));
  const options = { cwd: folder, env: userEnvironment(), shell: process.platform === 'win32', maxBuffer: 1e8 };
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--install-links'], options);
  return {
    folder,
    async script(script) {
      try {
        const { stdout, stderr } = await run('npm', ['run', '--silent', script], options);
        return stdout + stderr;
      } catch (error) {
        const { stdout = '', stderr = '' } = Object(error) as { stdout?: string; stderr?: string };
        throw new Error(`npm run ${script} failed in ${name}:\n${stdout}${stderr}`, { cause: error });
      }
    },
    async serve(script) {
      // A separate group, because npm starts the program as a grandchild.
      const child = spawn('npm', ['run', '--silent', script], { ...options, detached: true });
      const url = await new Promise<string>((resolve, reject) => {
        let output = '';
        const read = (chunk: Buffer): void => {
          output += chunk.toString();
          const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
          if (found) resolve(found);
        };
        child.stdout.on('data', read);
        child.stderr.on('data', read);
        child.once('exit', () => reject(new Error(`npm run ${script} ended in ${name}:\n${output}`)));
      });
      return {
        url,
        async stop() {
          const ended = once(child, 'exit');
          process.kill(-(child.pid ?? 0), 'SIGTERM');
          await ended;
        },
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves a folder on a separate loopback port. `headers` are sent with each file. */
export async function serveFolder(
  folder: string,
  headers: Record<string, string> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://field.invalid');
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    readFile(file).then(
      (content) => {
        const type = types[extname(file)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(content);
      },
      () => response.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
