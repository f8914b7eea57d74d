import { readlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { removeSocket } from './remove-socket.ts';

/** Numbers of processes mean nothing outside their namespace, of which each container has one. Null where there are none. */
export function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/**
 * Listens beside a lock for as long as it is held: whoever can see the file, from whichever container of this machine, can
 * find out that somebody lives. Resolves with what ends it. Where there can be no socket, it is the number that has to do.
 */
export async function listenBeside(lock: string): Promise<() => void> {
  const path = socketOf(lock);
  // Whoever had the lock before was found to be dead.
  removeSocket(path);
  const server = createServer((socket) => socket.destroy()).unref();
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve()).listen(path, resolve);
  });
  return () => void server.close();
}

/** Whether somebody listens beside a lock. */
export function isListenedBeside(lock: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketOf(lock));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function socketOf(lock: string): string {
  return `${lock}.sock`;
}
