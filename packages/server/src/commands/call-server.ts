import { request, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { CommandError } from './command-error.ts';
import { isPrivateFolder, socketPaths } from './socket-place.ts';

/** What the server that runs on this storage answers to a command, or null if none can be reached. Rejects with what it refuses. */
export async function callServer(
  storage: Config['storage'],
  path: string,
  body: object = {},
): Promise<IncomingMessage | null> {
  for (const socketPath of socketPaths(storage)) {
    // A socket in a folder of somebody else may be anybody's.
    if (process.platform !== 'win32' && !isPrivateFolder(dirname(socketPath), false)) continue;
    const answer = await post(socketPath, path, JSON.stringify(body));
    if (!answer) continue;
    if (answer.statusCode === 200) return answer;
    const { detail } = JSON.parse(await text(answer)) as { detail: string };
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
      else reject(new CommandError('The server stopped before it had answered.', { cause: error }));
    });
    call.end(body);
  });
}
