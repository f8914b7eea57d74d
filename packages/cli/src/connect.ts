import { ApiClient } from '@service/api-client';
import type { CommandContext } from './command.ts';
import { readCredentials } from './credentials.ts';
import { CommandError } from './command-error.ts';
import { readVersion } from './version.ts';

/** The pauses between attempts of a command for which a user waits, in milliseconds. */
const quickDelaysMs = [500, 1_500];
/**
 * The pauses between attempts of an upload, in milliseconds. They add up to more than a minute, so that an upload
 * survives a restart of the server.
 */
export const patientDelaysMs = [500, 1_000, 2_000, 4_000, ...Array<number>(8).fill(8_000)];

/**
 * Returns a client for the API: with the token in SERVICE_TOKEN, else with that of the login. A stored token is sent
 * only to the server for which it was stored. Rejects with a CommandError if the endpoint or the token is missing or
 * invalid, or if the stored login cannot be read.
 */
export async function connect(
  { options, env }: Pick<CommandContext, 'options' | 'env'>,
  retryDelaysMs: readonly number[] = quickDelaysMs,
  onFirstRetry?: (reason: string) => void,
): Promise<ApiClient> {
  const stored = await readCredentials(env);
  const given = options.endpoint ?? env.SERVICE_ENDPOINT;
  const endpoint = given ? readEndpoint(given) : stored?.endpoint;
  if (endpoint === undefined)
    throw new CommandError(
      'not_permitted',
      'Sign in first with: service login --endpoint URL. In CI, set SERVICE_ENDPOINT and SERVICE_TOKEN.',
    );
  // A secret that was pasted often ends in a line break.
  const token = env.SERVICE_TOKEN?.trim() || (stored?.endpoint === endpoint ? stored.token : undefined);
  if (token === undefined)
    throw new CommandError(
      'not_permitted',
      `There is no token for ${endpoint}. Sign in with: service login --endpoint ${endpoint}. In CI, set SERVICE_TOKEN.`,
    );
  return createClient({ endpoint, token }, retryDelaysMs, onFirstRetry);
}

/** Returns a client for credentials. Throws a CommandError if the token has characters that no token has. */
export function createClient(
  { endpoint, token }: { endpoint: string; token: string },
  retryDelaysMs: readonly number[],
  onFirstRetry?: (reason: string) => void,
): ApiClient {
  if (!/^[\u0021-\u007E]+$/.test(token))
    throw new CommandError('not_permitted', 'The token has characters that no token has. Copy it again.');
  const userAgent = `service-cli/${readVersion()}`;
  return new ApiClient({ endpoint, token, userAgent, retryDelaysMs, onFirstRetry });
}

/**
 * Returns the URL of a server without the API path. Throws a CommandError unless it is an http or https URL without
 * credentials.
 */
export function readEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new CommandError('usage', 'The endpoint must be the URL of the server, such as https://errors.example.com');
  return (url.origin + url.pathname).replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}
