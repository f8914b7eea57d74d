import { ApiError } from '@service/api-client';
import { askSecret } from '../prompt.ts';
import type { CommandContext } from '../command.ts';
import { connect, createClient, readEndpoint } from '../connect.ts';
import { readCredentials, removeCredentials, writeCredentials } from '../credentials.ts';
import { CommandError } from '../command-error.ts';
import { openBrowser } from '../open-browser.ts';
import { printable } from '../printable.ts';

interface Account {
  id: number;
  email: string;
  name: string | null;
  role: string;
  team: { id: number; name: string; plan: string };
}

const localServer = 'http://127.0.0.1:4400';
const maxTokenBytes = 64 * 1024;

/** Signs in: reads a token, checks it, and stores it for the following commands. */
export async function login({ options, env, output }: CommandContext): Promise<void> {
  const given = options.endpoint ?? env.SERVICE_ENDPOINT ?? (await readCredentials(env).catch(() => null))?.endpoint;
  const endpoint = readEndpoint(given ?? localServer);
  const token = (await readToken(endpoint)).trim();
  if (token === '') throw new CommandError('usage', 'The token is empty. Pass it on standard input, or type it.');
  const account = await readAccount(endpoint, token);
  const path = await writeCredentials(env, { endpoint, token });
  output.json({ endpoint, account });
  output.line(`Signed in to ${endpoint} as ${printable(account.email)} (${account.role}). The token is in ${path}.`);
}

/** Returns the account of a token. Rejects with a CommandError if the server does not accept the token. */
async function readAccount(endpoint: string, token: string): Promise<Account> {
  try {
    return await createClient({ endpoint, token }, []).call<Account>('GET', '/auth/me');
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw new CommandError(
      'not_permitted',
      `${endpoint} does not accept the token. Create a personal access token at ${endpoint}/tokens.`,
    );
  }
}

async function readToken(endpoint: string): Promise<string> {
  if (!process.stdin.isTTY) return readTokenFromStdin();
  const url = `${endpoint}/tokens`;
  openBrowser(url);
  return askSecret(`Create a token at ${url} and paste it here.\nToken: `);
}

async function readTokenFromStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
    if ((bytes += (chunk as Buffer).length) > maxTokenBytes)
      throw new CommandError('usage', 'The input is too long for a token.');
  }
  return Buffer.concat(chunks).toString();
}

/** Removes the stored token. */
export async function logout({ env, output }: CommandContext): Promise<void> {
  const stored = await readCredentials(env).catch(() => null);
  const isRemoved = await removeCredentials(env);
  output.json({ signed_out: isRemoved });
  if (!isRemoved) return output.line('No token was stored.');
  const where = stored ? ` Delete it at ${stored.endpoint}/tokens if it is no longer needed.` : '';
  output.line(`The token was removed from this machine.${where}`);
}

export async function whoAmI(context: CommandContext): Promise<void> {
  const { output } = context;
  const api = await connect(context, []);
  const account = await api.call<Account>('GET', '/auth/me');
  output.json({ endpoint: api.endpoint, account });
  const team = `${printable(account.team.name)}, plan ${printable(account.team.plan)}`;
  output.line(`${printable(account.email)} (${account.role}) of team ${team} at ${api.endpoint}`);
}
