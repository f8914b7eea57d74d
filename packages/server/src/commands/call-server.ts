import { request, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { CommandError } from './command-error.ts';
import { notHolderStatus, type NotHolder } from './handle-control.ts';
import { isPrivateFolder, pathsOfServers, socketPaths } from './socket-paths.ts';

/** Another server on the storage must run the command, and this machine can't send commands to it. */
export class HolderUnreachableError extends CommandError {
  constructor(url: string) {
    super(`The server at ${url} holds the log, and has no control socket here. Run this on its machine, as its user.`);
  }
}

/** A command waits at most this long while no server holds the log. */
const maxTakeoverMs = 10_000;
/** A command waits this long for another holder if the named one has no socket here: that one may have just stopped. */
const maxStaleHolderMs = 2_000;
const stepMs = 200;

/**
 * Sends a command to the server that uses this storage, or, of several, to the one that holds the log. Returns its
 * response, or null if no server can be reached. Rejects with a `CommandError` if the server rejects the command, and
 * with a `HolderUnreachableError` if only servers that don't hold the log can be reached.
 */
export async function callServer(
  storage: Config['storage'],
  path: string,
  body: object = {},
): Promise<IncomingMessage | null> {
  for (let waitedMs = 0; ; waitedMs += stepMs) {
    const result = await askServers(storage, path, JSON.stringify(body));
    if (!result || 'response' in result) return result?.response ?? null;
    if (result.holderUrl !== null && waitedMs >= maxStaleHolderMs) throw new HolderUnreachableError(result.holderUrl);
    if (waitedMs >= maxTakeoverMs) throw new CommandError('No server holds the log at the moment. Try again later.');
    await sleep(stepMs);
  }
}

/** The response of the server that holds the log, or the URL of that server: null while no server does. */
type ControlResult = { response: IncomingMessage } | { holderUrl: string | null };

/** Resolves with null if no server can be reached. */
async function askServers(storage: Config['storage'], path: string, body: string): Promise<ControlResult | null> {
  const holderUrls: (string | null)[] = [];
  for (const socketPath of await openSockets(storage)) {
    const response = await post(socketPath, path, body);
    if (!response) continue;
    if (response.statusCode === 200) return { response };
    const received = JSON.parse(await text(response)) as NotHolder;
    if (response.statusCode !== notHolderStatus) throw new CommandError(received.detail);
    holderUrls.push(received.holder_url);
  }
  return holderUrls.length === 0 ? null : { holderUrl: holderUrls.find((url) => url !== null) ?? null };
}

async function openSockets(storage: Config['storage']): Promise<string[]> {
  const paths = await socketPaths(storage);
  return paths.flatMap((path) => {
    if (process.platform === 'win32') return [path];
    // A socket in a folder of another user may belong to anyone.
    return isPrivateFolder(dirname(path)) ? pathsOfServers(path) : [];
  });
}

function post(socketPath: string, path: string, body: string): Promise<IncomingMessage | null> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path, method: 'POST', headers: { 'Content-Length': Buffer.byteLength(body) } });
    call.once('response', resolve);
    call.once('error', (error: NodeJS.ErrnoException) => {
      if (/^(ENOENT|ECONNREFUSED|EACCES)$/.test(error.code ?? '')) resolve(null);
      else reject(new CommandError('The server stopped before it responded.', { cause: error }));
    });
    call.end(body);
  });
}
