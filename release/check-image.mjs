// What `docker build` would put into the image, built and started without a container engine.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** @import { PackedPackage } from './pack.mjs' */

const dockerfile = fileURLToPath(new URL('../Dockerfile', import.meta.url));
const script = fileURLToPath(new URL('../test/deploy/container.sh', import.meta.url));
const maxBytes = 200e6;
/** Alpine Linux with `libstdc++`, which this machine need not have. Rounded up. */
const systemBytes = 12e6;

/**
 * Runs the installation of the Dockerfile with the packed server, measures the image, and starts it with the entry
 * point, variables, health check and stop signal of the Dockerfile. Rejects with the first problem.
 *
 * @param {string} target an empty folder
 * @param {PackedPackage[]} packed
 */
export async function checkImage(target, packed) {
  const server = packed.find(({ manifest }) => manifest.name === '@service/server');
  if (!server) throw new Error('@service/server is not packed.');
  const instructions = await readDockerfile();
  const app = join(target, 'app');
  const install = instructions.find(({ name, value }) => name === 'RUN' && value.includes('npm install'));
  if (!install) throw new Error('The Dockerfile installs nothing.');
  const command = install.value
    .replaceAll(/(?<=\s)\/src\//g, `${dirname(server.tarball)}/`)
    .replaceAll(/(?<=\s)\/app\b/g, app);
  await run('sh', ['-ec', command], { cwd: target });
  const node = await installNode(target, instructions);

  const parts = { app: await bytesIn(app), node: (await stat(node)).size };
  const bytes = parts.app + parts.node + systemBytes;
  const sizes = `${megabytes(bytes)} (packages ${megabytes(parts.app)}, Node.js ${megabytes(parts.node)})`;
  if (bytes > maxBytes) throw new Error(`The image has ${sizes}.`);
  return { sizes, hasRun: await startImage(target, app, node, instructions) };
}

/** @typedef {{ name: string, value: string }} Instruction */

async function readDockerfile() {
  const lines = (await readFile(dockerfile, 'utf8')).replaceAll(/^#.*\n/gm, '').replaceAll('\\\n', ' ');
  return Array.from(lines.matchAll(/^([A-Z]+) +(.+)$/gm), ([, name = '', value = '']) => ({ name, value }));
}

/** Installs the release of Node.js that the image has. @param {string} target @param {Instruction[]} instructions */
async function installNode(target, instructions) {
  const [, version] = /^node:(\d+)/.exec(instructions.find(({ name }) => name === 'FROM')?.value ?? '') ?? [];
  if (!version) throw new Error('The Dockerfile does not begin with an image of Node.js.');
  const folder = join(target, 'node');
  await mkdir(folder);
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `node@${version}`], { cwd: target });
  return join(folder, 'node_modules/node/bin/node');
}

/** @param {string} folder */
async function bytesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

/** Returns false if this machine can't create namespaces. */
const contained = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'];
const canContain = () => spawnSync('unshare', [...contained, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/**
 * Starts the image, checks its health, and stops it. Returns false if this machine can't create namespaces.
 *
 * @param {string} target
 * @param {string} app
 * @param {string} node
 * @param {Instruction[]} instructions
 */
async function startImage(target, app, node, instructions) {
  if (!canContain()) return false;
  const folders = ['root', 'data'].map((name) => join(target, name));
  for (const folder of folders) await mkdir(folder);
  /** @param {string} name */
  const valueOf = (name) => instructions.find((one) => one.name === name)?.value ?? '';
  const [program, main = ''] = JSON.parse(valueOf('ENTRYPOINT'));
  if (program !== 'node' || !main.startsWith('/app/')) throw new Error(`The entry point is ${program} ${main}.`);
  const variables = valueOf('ENV')
    .split(' ')
    .map((pair) => pair.split('='));
  const env = { ...Object.fromEntries(variables), SERVICE_PORT: '0', SERVICE_LOG_LEVEL: 'error' };
  const args = [...contained, 'sh', script, ...folders, app, node, main.slice('/app/'.length)];
  const child = spawn('unshare', args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  try {
    const port = await portOf(child);
    const pid = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).split(' ')[0] ?? '';
    const [, ...check] = JSON.parse(/CMD (\[.*\])/.exec(valueOf('HEALTHCHECK'))?.[1] ?? '[]');
    const inside = ['--target', pid, '--mount', '--root', '/usr/local/bin/node'];
    await run('nsenter', [...inside, ...check], { cwd: target, env: { ...env, SERVICE_PORT: port } });
    process.kill(Number(pid), /** @type {NodeJS.Signals} */ (valueOf('STOPSIGNAL')));
    const [code] = await exit;
    if (code !== 0) throw new Error(`The server in the image ended with code ${code}.`);
    return true;
  } finally {
    child.kill('SIGKILL');
    await exit;
  }
}

/** Resolves with the port on which the server listens. @param {import('node:child_process').ChildProcess} child */
function portOf(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString();
      const [, port] = /http:\/\/[\d.]+:(\d+)/.exec(output) ?? [];
      if (port) resolve(port);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`The server in the image does not start:\n${output}`)));
  });
}
