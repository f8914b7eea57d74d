import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { temporaryFolder } from '../test-utils/describe-service.ts';

const bin = fileURLToPath(new URL('../../bin/service-server.js', import.meta.url));
const running: ChildProcess[] = [];

export const token = 'test-admin-token-0123456789';

/** A `service-server` process. */
export interface Program {
  child: ChildProcess;
  url: string;
  output: () => string;
  exited: Promise<number | null>;
}

/** Starts the command in a new folder. `wrapper` is a command to run it under. */
export async function run(
  args: string[],
  env: NodeJS.ProcessEnv = {},
  wrapper: string[] = [],
): Promise<Omit<Program, 'url'>> {
  const [command = '', ...rest] = [...wrapper, process.execPath, bin, ...args];
  const child = spawn(command, rest, {
    cwd: await temporaryFolder(),
    env: { PATH: process.env.PATH, ...env },
  });
  running.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, output: () => output, exited };
}

/** Starts a server and resolves once it listens. */
export async function startServer(
  args: string[],
  env: NodeJS.ProcessEnv = {},
  wrapper: string[] = [],
): Promise<Program> {
  const program = await run(['--port', '0', ...args], { SERVICE_ADMIN_TOKEN: token, ...env }, wrapper);
  const url = await expect
    .poll(() => /Listening: (\S+)/.exec(program.output())?.[1])
    .toBeTruthy()
    .then(() => /Listening: (\S+)/.exec(program.output())?.[1]);
  return { ...program, url: url ?? '' };
}

/** Runs the command to its end. */
export async function runToEnd(
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; output: string }> {
  const { exited, output } = await run(args, env);
  return { code: await exited, output: output() };
}

export function killPrograms(): void {
  for (const child of running.splice(0)) child.kill('SIGKILL');
}
