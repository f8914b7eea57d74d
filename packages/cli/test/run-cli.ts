import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/service.js', import.meta.url));

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the built command without the settings of this machine. */
export function startCli(args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: '/nonexistent', ...env },
    stdio: 'pipe',
  });
}

/** Runs the built command to its end. */
export async function runCli(args: readonly string[], env: Record<string, string>, input = ''): Promise<CliResult> {
  const child = startCli(args, env);
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A command that needs no input may have ended.
  child.stdin?.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}
