import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Returns the environment of a user's terminal, without what npm adds for a script. A user who is signed in elsewhere
 * has other credentials in the home folder, so `home` replaces it.
 *
 * @param {string} home
 * @param {Record<string, string>} [more]
 */
export function userEnvironment(home, more = {}) {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_.*|NODE_ENV|NODE_OPTIONS|SERVICE_.*)$/.test(name));
  return { ...Object.fromEntries(own), XDG_CONFIG_HOME: home, NO_COLOR: '1', CI: '1', ...more };
}

/**
 * Runs a program. Returns its standard output, and everything that it writes. Rejects if it fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 */
export async function run(command, args, options) {
  const how = { ...options, shell: process.platform === 'win32', maxBuffer: 1e8 };
  try {
    const { stdout, stderr } = await execute(command, args, how);
    return { stdout, output: stdout + stderr };
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/**
 * Starts a program that serves until it is stopped. Resolves with its output once that matches `ready`.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @param {RegExp} ready
 */
export async function serve(command, args, options, ready) {
  // A separate process group: npm and npx start the program as a grandchild.
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  await new Promise((resolve, reject) => {
    const read = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString();
      if (ready.test(output)) resolve(null);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${command} ${args.join(' ')} ended:\n${output}`)));
  });
  return {
    output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await ended;
    },
  };
}
