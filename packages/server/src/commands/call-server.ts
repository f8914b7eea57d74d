import { request, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { CommandError } from './command-error.ts';
import { isPrivateFolder, socketPaths } from './socket-paths.ts';

/**
 * Sends a command to the server that uses this storage. Returns its response, or null if no server can be reached.
 * Rejects with a `CommandError` if the server rejects the command.
 */
export async function callServer(
  storage: Config['storage'],
  path: string,
  body: object = {},
): Promise<IncomingMessage | null> {
  for (const socketPath of socketPaths(storage)) {
    // A socket in a folder of another user may belong to anyone.
    if (process.platform !== 'win32' && !isPrivateFolder(dirname(socketPath), false)) continue;
    const response = await post(socketPath, path, JSON.stringify(body));
    if (!response) continue;
    if (response.statusCode === 200) return response;
    const { detail } = JSON.parse(await text(response)) as { detail: string };
    throw new CommandError(detail);
  }
  return null;
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
