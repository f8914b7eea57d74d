import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blobs } from '../driver.ts';
import { syncFolder } from './sync-folder.ts';

const temporary = '.tmp';

/** Blobs as files of a folder: written aside, synced, then renamed, so that a name always holds a whole blob. */
export class FileBlobs implements Blobs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#folder, name);
    const handle = await open(path + temporary, 'w');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
      await handle.close();
      await rename(path + temporary, path);
      await syncFolder(this.#folder);
    } catch (error) {
      // Half a file on a full disk keeps it full.
      await Promise.allSettled([handle.close(), rm(path + temporary, { force: true })]);
      throw error;
    }
  }

  async get(name: string): Promise<Uint8Array | null> {
    try {
      return await readFile(join(this.#folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  async names(): Promise<string[]> {
    return readdir(this.#folder);
  }
}
