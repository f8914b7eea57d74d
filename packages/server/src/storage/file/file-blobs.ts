import { join } from 'node:path';
import type { Blobs } from '../../store/log/storage-driver.ts';
import type { Files, OpenFile } from './files.ts';
import { gatherPieces } from '../../store/codec/gather-pieces.ts';

const temporaryBlobSuffix = '.tmp';
const blobWriteBytes = 256 * 1024;
const readChunkBytes = 1024 * 1024;
/** A large blob is synced in steps of this size, because appends to the log wait for each sync. */
const syncBytes = 4 * 1024 * 1024;

/**
 * Stores blobs as files of a folder. A blob is written to a temporary file, synced and renamed, so no name has half a
 * blob.
 */
export class FileBlobs implements Blobs {
  readonly #folder: string;
  readonly #files: Files;

  constructor(folder: string, files: Files) {
    this.#folder = folder;
    this.#files = files;
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    return this.#write(name, [bytes]);
  }

  putPieces(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    return this.#write(name, gatherPieces(pieces, blobWriteBytes));
  }

  async #write(name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const path = join(this.#folder, name);
    let file: OpenFile | null = null;
    try {
      let unsynced = 0;
      for await (const bytes of pieces) {
        file ??= await this.#files.open(path + temporaryBlobSuffix, 'w');
        if (unsynced >= syncBytes) {
          await file.datasync();
          unsynced = 0;
        }
        await file.append(bytes);
        unsynced += bytes.length;
      }
      file ??= await this.#files.open(path + temporaryBlobSuffix, 'w');
      await file.datasync();
      await file.close();
      await this.#files.rename(path + temporaryBlobSuffix, path);
      await this.#files.syncFolder(this.#folder);
    } catch (error) {
      // On a full disk, an unfinished file would keep the disk full.
      if (file) await Promise.allSettled([file.close(), this.#files.remove(path + temporaryBlobSuffix)]);
      throw error;
    }
  }

  async get(name: string): Promise<Uint8Array | null> {
    const file = await this.#open(name);
    if (!file) return null;
    try {
      const bytes = Buffer.allocUnsafe(await file.size());
      return bytes.subarray(0, await file.read(bytes, 0, bytes.length, 0));
    } finally {
      await file.close();
    }
  }

  async read(name: string, start: number, end: number): Promise<Uint8Array | null> {
    const file = await this.#open(name);
    if (!file) return null;
    try {
      const bytes = Buffer.allocUnsafe(end - start);
      return bytes.subarray(0, await file.read(bytes, 0, bytes.length, start));
    } finally {
      await file.close();
    }
  }

  async *getPieces(name: string): AsyncGenerator<Uint8Array> {
    const file = await this.#open(name);
    if (!file) return;
    try {
      // An open file remains readable until it is closed, even if its name is removed.
      for (let position = 0; ;) {
        const bytes = Buffer.allocUnsafe(readChunkBytes);
        const length = await file.read(bytes, 0, readChunkBytes, position);
        if (length === 0 && position > 0) return;
        yield bytes.subarray(0, length);
        if (length === 0) return;
        position += length;
      }
    } finally {
      await file.close();
    }
  }

  async #open(name: string): Promise<OpenFile | null> {
    try {
      return await this.#files.open(join(this.#folder, name), 'r');
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
