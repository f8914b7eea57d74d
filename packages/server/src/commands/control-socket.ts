import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { Services } from '../services.ts';
import { removeSocket } from '../storage/file/remove-socket.ts';
import { handleControl } from './handle-control.ts';
import { isPrivateFolder, socketPaths } from './socket-paths.ts';

/**
 * Listens for commands such as `service-server backup`, on a socket that only this user can open. Resolves with a
 * function that closes it. The server also runs without one. `current` returns the services that handle a command.
 */
export async function openControlSocket(
  services: Services,
  current: () => Services = () => services,
): Promise<() => void> {
  const { storage } = services.config;
  // All servers in memory have the same address, so a command could not find the right one.
  if (storage === 'memory:') return () => undefined;
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 10_000 },
    (request, response) => void handleControl(current(), request, response),
  );
  server.unref();
  let cause: unknown = new Error('No folder for the control socket belongs to this user alone.');
  for (const path of socketPaths(storage)) {
    if (process.platform !== 'win32' && !isPrivateFolder(dirname(path), true)) continue;
    try {
      if (!(await listenAt(server, path))) return () => undefined;
      return () => {
        server.close();
        server.closeAllConnections();
      };
    } catch (error) {
      cause = error;
    }
  }
  services.log.warn(
    { err: cause },
    'the control socket could not be opened; commands such as service-server backup cannot reach this server',
  );
  return () => undefined;
}

/** Resolves with false if another server already listens there: servers that share a storage need only one socket. */
async function listenAt(server: Server, path: string): Promise<boolean> {
  try {
    await listenOnSocket(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (await isListening(path)) return false;
    // A killed server left the file behind.
    removeSocket(path);
    await listenOnSocket(server, path);
  }
  return true;
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
    socket.once('error', () => resolve(false));
  });
}
