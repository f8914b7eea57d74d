import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { removeSocket } from '../storage/file/remove-socket.ts';
import { handleControl, type ControlledServer } from './handle-control.ts';
import { ensurePrivateFolder, pathOfAnotherServer, pathsOfServers, socketPaths } from './socket-paths.ts';

/**
 * Listens for commands such as `service-server backup`, on a socket that only this user can open. Resolves with a
 * function that closes the socket. If no socket can be opened, warns the operator: the server runs without one. Each of
 * several servers on one storage has a socket.
 */
export async function openControlSocket(server: ControlledServer): Promise<() => void> {
  const { config, log } = server.services;
  // All servers in memory have the same address, so a command could not find the right one.
  if (config.storage === 'memory:') return () => undefined;
  const listener = createServer(
    { requestTimeout: 10_000, headersTimeout: 10_000 },
    (request, response) => void handleControl(server, request, response),
  );
  listener.unref();
  let cause: unknown = new Error('No folder for the control socket belongs to this user alone.');
  for (const path of await socketPaths(config.storage)) {
    if (process.platform !== 'win32' && !ensurePrivateFolder(dirname(path))) continue;
    try {
      await removeDeadSockets(path);
      await listenNear(listener, path);
      return () => {
        listener.close();
        listener.closeAllConnections();
      };
    } catch (error) {
      cause = error;
    }
  }
  log.warn(
    { err: cause },
    'the control socket could not be opened; commands such as service-server backup cannot reach this server',
  );
  return () => undefined;
}

/** Removes the files that killed servers have left behind. */
async function removeDeadSockets(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  for (const known of pathsOfServers(path)) if (!(await isListening(known))) removeSocket(known);
}

/** Listens at the path, or next to it if another server on the same storage listens there. */
async function listenNear(listener: Server, path: string): Promise<void> {
  try {
    await listenOnSocket(listener, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || process.platform === 'win32') throw error;
    await listenOnSocket(listener, pathOfAnotherServer(path));
  }
}

function listenOnSocket(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // listen() creates the socket file synchronously, so no other user can open it at any time.
    const previousMask = process.umask(0o177);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
    process.umask(previousMask);
  });
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // A busy server also fails, but with another code.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}
