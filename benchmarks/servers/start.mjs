import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A server in a separate process.
 *
 * @typedef {object} ServerProcess
 * @property {URL} url
 * @property {number} pid
 * @property {number} startMs from the start of the process until it prints that it listens
 * @property {() => Promise<void>} stop stops it gracefully, or kills it after 15 seconds
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => process.exit(1));

/** The messages of our server, of bare h3 and of Spotlight. */
const greeting = /Listening: (\S+)|Spotlight listening on (\d+)/;

/**
 * Starts a script that prints its URL.
 *
 * @param {string} script
 * @param {{ args?: string[], env?: Record<string, string>, wrapper?: readonly string[] }} [options]
 *   `wrapper`: a command that runs it, such as taskset
 * @returns {Promise<ServerProcess>}
 */
export async function start(script, { args = [], env = {}, wrapper = [] } = {}) {
  const [command, ...rest] = [...wrapper, process.execPath, script, ...args];
  const began = performance.now();
  const child = spawn(command, rest, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const exit = once(child, 'exit').finally(() => running.delete(child));
  const url = await Promise.race([listeningUrl(child), exit]);
  if (!(url instanceof URL)) throw new Error(`${script} stopped before it listened.`);
  const startMs = performance.now() - began;
  return {
    url,
    pid: child.pid ?? 0,
    startMs,
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exit;
      clearTimeout(late);
    },
  };
}

/** @param {import('node:child_process').ChildProcess} child */
function listeningUrl(child) {
  return new Promise((resolve) => {
    let output = '';
    const read = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk).slice(-4_096);
      const [, url, port] = greeting.exec(output) ?? [];
      if (url ?? port) resolve(new URL(url ?? `http://127.0.0.1:${port}`));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', (chunk) => {
      read(chunk);
      // Spotlight prints its greeting to the error stream.
      if (!String(chunk).includes('[Spotlight]')) process.stderr.write(chunk);
    });
  });
}
