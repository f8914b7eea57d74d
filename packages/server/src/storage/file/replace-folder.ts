import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

const unfinished = '.replacing';
const replacedSuffix = '.replaced';

/**
 * Replaces a folder with one that `write` fills. The replacement takes effect when the complete and durable new folder
 * is renamed. Only then is the old folder removed. A failure before the rename changes nothing.
 */
export async function replaceFolder(path: string, write: (path: string) => Promise<void>): Promise<void> {
  const other = path + unfinished;
  await rm(other, { recursive: true, force: true });
  try {
    await mkdir(other, { mode: 0o700 });
    await write(other);
    await syncFolder(other);
    await rename(other, path + replacedSuffix);
  } catch (error) {
    await rm(other, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(dirname(path));
  await finishReplacing(path);
}

/** Completes a replacement that a kill interrupted. Must be called before the folder is read. */
export async function finishReplacing(path: string): Promise<void> {
  if (existsSync(path + unfinished)) await rm(path + unfinished, { recursive: true, force: true });
  if (!existsSync(path + replacedSuffix)) return;
  await rm(path, { recursive: true, force: true });
  await rename(path + replacedSuffix, path);
  await syncFolder(dirname(path));
}
