import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from './command-error.ts';

/** The credentials that `service login` stores. */
export interface Credentials {
  endpoint: string;
  token: string;
}

/** Returns the path of the file with the token. */
function credentialsPath(env: NodeJS.ProcessEnv): string {
  const folder =
    env.XDG_CONFIG_HOME || (process.platform === 'win32' && env.APPDATA) || join(env.HOME || homedir(), '.config');
  return join(folder, 'service', 'credentials.json');
}

/** Returns the stored credentials, or null without a file. Rejects with a CommandError if the file cannot be read. */
export async function readCredentials(env: NodeJS.ProcessEnv): Promise<Credentials | null> {
  const path = credentialsPath(env);
  try {
    const { endpoint, token } = JSON.parse(await readFile(path, 'utf8')) as Partial<Credentials>;
    if (typeof endpoint !== 'string' || typeof token !== 'string') throw new SyntaxError('fields are missing');
    return { endpoint, token };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CommandError('not_permitted', `${path} cannot be read. Sign in again with: service login`);
  }
}

/** Stores credentials, and resolves with the path. Only the user can read the file, from the moment it exists. */
export async function writeCredentials(env: NodeJS.ProcessEnv, credentials: Credentials): Promise<string> {
  const path = credentialsPath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(credentials)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, path);
  return path;
}

/** Removes the stored credentials. Resolves with false if no token was stored. */
export async function removeCredentials(env: NodeJS.ProcessEnv): Promise<boolean> {
  const isSignedIn = (await readCredentials(env).catch(() => true)) !== null;
  await rm(credentialsPath(env), { force: true });
  return isSignedIn;
}
