import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serveOnLoopback } from '../test-utils/serve-on-loopback.ts';

const run = promisify(execFile);
const projects = fileURLToPath(new URL('field/', import.meta.url));
const examples = fileURLToPath(new URL('../../examples/', import.meta.url));

type Settings = Record<string, string>;

/** A project of a user in its own folder, with the tarball installed. */
export interface FieldProject {
  folder: string;
  /** Runs a script of its package.json, with variables. Returns everything that it writes. Rejects if it fails. */
  script(name: string, settings?: Settings): Promise<string>;
  /** Starts a script that serves pages on a free port. Resolves with the URL that it writes first. */
  serve(name: string, args?: string[], settings?: Settings): Promise<{ url: string; stop(): Promise<void> }>;
  remove(): Promise<void>;
}

/** The variables of a user's terminal. Vitest sets NODE_ENV, which bundlers and frameworks read. */
function userEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(NODE_ENV|NODE_OPTIONS|VITEST.*|npm_.*|TEST)$/.test(name),
  );
  return { ...Object.fromEntries(own), CI: '1', NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: undefined };
}

/**
 * Copies a project of `field/` and installs its dependencies by npm, from the registry and the tarball of the SDK.
 * `tools` are further tarballs by their name in the project.
 */
export async function installProject(
  name: string,
  tarball: string,
  tools: Record<string, string> = {},
): Promise<FieldProject> {
  const folder = await mkdtemp(join(tmpdir(), `service-field-${name}-`));
  await cp(join(projects, name), folder, { recursive: true });
  return installIn(folder, name, tarball, tools);
}

/**
 * Copies an example and installs it in the same way. Replaces the URL of a running server, from which readers of the
 * example install the tarball.
 */
export async function installExample(name: string, tarball: string): Promise<FieldProject> {
  const folder = await mkdtemp(join(tmpdir(), `service-example-${name}-`));
  await cp(join(examples, name), folder, { recursive: true });
  const manifest = join(folder, 'package.json');
  const published = 'http://127.0.0.1:4400/packages/browser.tgz';
  const text = await readFile(manifest, 'utf8');
  if (!text.includes(published)) throw new Error(`The example ${name} does not install ${published}.`);
  await writeFile(manifest, text.replace(published, 'file:browser.tgz'));
  return installIn(folder, name, tarball, {});
}

async function installIn(
  folder: string,
  name: string,
  tarball: string,
  tools: Record<string, string>,
): Promise<FieldProject> {
  await copyFile(tarball, join(folder, 'browser.tgz'));
  for (const [file, tool] of Object.entries(tools)) await copyFile(tool, join(folder, file));
  const options = { cwd: folder, env: userEnvironment(), shell: process.platform === 'win32', maxBuffer: 1e8 };
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--install-links'], options);
  return {
    folder,
    async script(script, settings) {
      const env = { ...options.env, ...settings };
      try {
        const { stdout, stderr } = await run('npm', ['run', '--silent', script], { ...options, env });
        return stdout + stderr;
      } catch (error) {
        const { stdout = '', stderr = '' } = Object(error) as { stdout?: string; stderr?: string };
        throw new Error(`npm run ${script} failed in ${name}:\n${stdout}${stderr}`, { cause: error });
      }
    },
    async serve(script, args = [], settings = {}) {
      const env = { ...options.env, ...settings };
      // A separate group, because npm starts the program as a grandchild.
      const child = spawn('npm', ['run', '--silent', script, '--', ...args], { ...options, env, detached: true });
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
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves a folder on a separate loopback port. `headers` are sent with each file. */
export async function serveFolder(
  folder: string,
  headers: Record<string, string> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const site = await serveOnLoopback((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://field.invalid');
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    readFile(file).then(
      (content) => {
        const type = types[extname(file)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  return { url: new URL(site.url).origin, stop: site.close };
}
