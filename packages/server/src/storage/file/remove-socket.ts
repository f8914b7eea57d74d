import { unlinkSync } from 'node:fs';

/**
 * Removes the socket file of a dead process, if it exists.
 *
 * Does not use `rm`: Node.js then caches the result of its `stat`, and while the last one was of a socket, `import()`
 * does not follow symbolic links. Packages linked by pnpm are then loaded under a second path, and on Node.js 22
 * CommonJS packages are empty.
 */
export function removeSocket(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
