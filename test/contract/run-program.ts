import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { programPath } from './targets.ts';
import { withFolder } from './with-folder.ts';

export interface RunningProgram {
  pid: number;
  output: () => string;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
  /** The working folder. */
  folder: string;
  kill: (signal: NodeJS.Signals) => void;
}

/** Runs the program in its own working folder, and kills it after `use`. */
export function runProgram<Result>(
  args: string[],
  env: Record<string, string>,
  use: (program: RunningProgram) => Promise<Result>,
  files: Record<string, string> = {},
): Promise<Result> {
  return withFolder(async (folder) => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const child = spawn(process.execPath, [programPath, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exited = once(child, 'close').then(([code]) => code as number | null);
    try {
      const kill = (signal: NodeJS.Signals): void => void child.kill(signal);
      return await use({ pid: child.pid ?? 0, output: () => output, exited, folder, kill });
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
  });
}

/** Waits until the program listens, and returns its URL. */
export async function waitForUrl(output: () => string): Promise<string> {
  const find = (): string | undefined => /Listening: (\S+)/.exec(output())?.[1];
  await expect.poll(find).toBeTruthy();
  return find() ?? '';
}

/** Runs the program until it exits by itself. */
export function runCommand(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  return runProgram(args, env, async ({ exited, output }) => ({ code: await exited, output: output() }));
}
