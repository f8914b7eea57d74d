import { unlinkSync } from 'node:fs';

/**
 * Removes the file of a socket that a dead process left behind, if there is one.
 *
 * Never with `rm`: Node.js then keeps the result of its `stat`, and while the last one was of a socket, `import()` does not
 * follow symbolic links. Packages that pnpm has linked are then loaded under a second path, and on Node.js 22 those written
 * in CommonJS come out empty.
 */
export function removeSocket(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
