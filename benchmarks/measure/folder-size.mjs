import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the bytes that the files of a folder take on disk, counted in blocks like `du`.
 *
 * @param {string} folder
 */
export function folderBytes(folder) {
  let bytes = 0;
  for (const path of readdirSync(folder, { recursive: true })) {
    // The server may remove a file during the walk.
    const file = statSync(join(folder, String(path)), { throwIfNoEntry: false });
    if (file?.isFile()) bytes += file.blocks * 512;
  }
  return bytes;
}
