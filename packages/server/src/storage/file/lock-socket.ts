import { readlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { removeSocket } from './remove-socket.ts';

/**
 * Returns the PID namespace, or null if the system has none. Each container has a separate one, and process ids are
 * valid only within it.
 */
export function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/**
 * Listens on a socket next to a lock file while the lock is held. A process in another container of this machine, which
 * sees the file, detects by the socket that the owner is alive. Resolves with a function that closes the socket. Where
 * no socket can be created, processes in other containers treat the owner as dead.
 */
export async function openLockSocket(lock: string): Promise<() => void> {
  const path = socketOf(lock);
  // The previous owner of the lock is dead.
  removeSocket(path);
  const server = createServer((socket) => socket.destroy()).unref();
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve()).listen(path, resolve);
  });
  return () => void server.close();
}

/** Resolves with whether the owner of a lock listens on its socket. */
export function hasListeningOwner(lock: string): Promise<boolean> {
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
