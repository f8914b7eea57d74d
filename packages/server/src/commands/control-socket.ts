import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { Services } from '../services.ts';
import { removeSocket } from '../storage/file/remove-socket.ts';
import { answerControl } from './control-commands.ts';
import { isPrivateFolder, socketPaths } from './socket-place.ts';

/**
 * Listens for `service-server backup` and its like, on a socket that only this user can reach. Resolves with what ends
 * it. Without a place for it the server does its work all the same.
 */
export async function openControlSocket(services: Services): Promise<() => void> {
  const { storage } = services.config;
  // Nobody could find it: every server in memory has the same address.
  if (storage === 'memory:') return () => undefined;
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 10_000 },
    (request, response) => void answerControl(services, request, response),
  );
  server.unref();
  let trouble: unknown = new Error('No folder for a socket belongs to this user alone.');
  for (const path of socketPaths(storage)) {
    if (process.platform !== 'win32' && !isPrivateFolder(dirname(path), true)) continue;
    try {
      if (!(await listenAt(server, path))) return () => undefined;
      return () => {
        server.close();
        server.closeAllConnections();
      };
    } catch (error) {
      trouble = error;
    }
  }
  services.log.warn({ err: trouble }, 'commands such as service-server backup will not reach this server');
  return () => undefined;
}

/** Resolves with false if another server listens there: where several may share a storage, one of them is enough. */
async function listenAt(server: Server, path: string): Promise<boolean> {
  try {
    await listen(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (await isAnswered(path)) return false;
    // Left behind by a server that was killed.
    removeSocket(path);
    await listen(server, path);
  }
  return true;
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The file of the socket is made before this returns: at no time may others open it.
    const usual = process.umask(0o177);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
    process.umask(usual);
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
