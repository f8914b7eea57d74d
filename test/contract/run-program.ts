import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bin } from './places.ts';

export interface RunningProgram {
  pid: number;
  output: () => string;
  ended: Promise<number | null>;
  folder: string;
  signal: (name: NodeJS.Signals) => void;
}

/** Runs the program in a folder of its own until `use` is done with it, or until it ends. */
export async function run<Result>(
  args: string[],
  env: Record<string, string>,
  use: (program: RunningProgram) => Promise<Result>,
  files: Record<string, string> = {},
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'service-contract-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  try {
    const signal = (name: NodeJS.Signals): void => void child.kill(name);
    return await use({ pid: child.pid ?? 0, output: () => output, ended, folder, signal });
  } finally {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where it listens. */
export async function urlOf(output: () => string): Promise<string> {
  const find = (): string | undefined => /Listening: (\S+)/.exec(output())?.[1];
  await expect.poll(find).toBeTruthy();
  return find() ?? '';
}

/** Runs a command of the program to its end. */
export function runToEnd(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; said: string }> {
  return run(args, env, async ({ ended, output }) => ({ code: await ended, said: output() }));
}
