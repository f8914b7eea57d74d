import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Bytes that a folder takes on disk, as `du` counts them.
 *
 * @param {string} folder
 */
export function folderBytes(folder) {
  let bytes = 0;
  for (const path of readdirSync(folder, { recursive: true })) {
    // A file may go while the folder is walked: the server cleans up behind itself.
    const file = statSync(join(folder, String(path)), { throwIfNoEntry: false });
    if (file?.isFile()) bytes += file.blocks * 512;
  }
  return bytes;
}
