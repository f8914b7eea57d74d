import { join } from 'node:path';
import type { Blobs } from '../driver.ts';
import type { Files } from './files.ts';

const temporary = '.tmp';

/** Blobs as files of a folder: written aside, synced, then renamed, so that a name always holds a whole blob. */
export class FileBlobs implements Blobs {
  readonly #folder: string;
  readonly #files: Files;

  constructor(folder: string, files: Files) {
    this.#folder = folder;
    this.#files = files;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#folder, name);
    const file = await this.#files.open(path + temporary, 'w');
    try {
      await file.append(bytes);
      await file.datasync();
      await file.close();
      await this.#files.rename(path + temporary, path);
      await this.#files.syncFolder(this.#folder);
    } catch (error) {
      // Half a file on a full disk keeps it full.
      await Promise.allSettled([file.close(), this.#files.remove(path + temporary)]);
      throw error;
    }
  }

  async get(name: string): Promise<Uint8Array | null> {
    try {
      const file = await this.#files.open(join(this.#folder, name), 'r');
      try {
        const bytes = Buffer.allocUnsafe(await file.size());
        return bytes.subarray(0, await file.read(bytes, 0, bytes.length, 0));
      } finally {
        await file.close();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await this.#files.remove(join(this.#folder, name));
  }

  async names(): Promise<string[]> {
    return this.#files.readdir(this.#folder);
  }
}
