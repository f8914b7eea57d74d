import { fdatasync, write, writev } from 'node:fs';
import { open, readdir, rename, rm, statfs, type FileHandle } from 'node:fs/promises';
import { syncFolder } from './sync-folder.ts';

/** The file system operations of the file driver. Tests replace them with failing ones. */
export interface Files {
  /** Opens a file for reading, or creates or empties it for writing. */
  open(path: string, flags: 'r' | 'w'): Promise<OpenFile>;
  readdir(path: string): Promise<string[]>;
  /** Removes a file if it exists. */
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Makes created, renamed and removed names of a folder durable. */
  syncFolder(path: string): Promise<void>;
  /** Resolves with the free bytes of the file system of a folder. */
  freeBytes?(path: string): Promise<number>;
}

export interface OpenFile {
  /** Resolves with the number of bytes read, which is below `length` only at the end of the file. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  /** Writes all bytes at the end of the file, or rejects. */
  append(bytes: Uint8Array | readonly Uint8Array[]): Promise<void>;
  datasync(): Promise<void>;
  size(): Promise<number>;
  /** Closes the file. Resolves after pending reads. */
  close(): Promise<void>;
}

export const machineFiles: Files = {
  open: async (path, flags) => new MachineFile(await open(path, flags)),
  readdir: (path) => readdir(path),
  remove: (path) => rm(path, { force: true }),
  rename: (from, to) => rename(from, to),
  syncFolder,
  async freeBytes(path) {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
};

/** Reads files, and changes nothing. */
export const readOnlyFiles: Files = {
  ...machineFiles,
  open: (path, flags) => (flags === 'r' ? machineFiles.open(path, flags) : Promise.reject(readOnlyError())),
  remove: async () => undefined,
  rename: () => Promise.reject(readOnlyError()),
  syncFolder: async () => undefined,
};

function readOnlyError(): Error {
  return new Error('The storage is opened only to be read.');
}

/** Up to this size, copying the parts into one buffer is faster than `writev`. */
const maxCopiedBytes = 64 * 1024;

/** Writes use the file descriptor and callbacks: the promises of a handle take 20 µs more per batch. */
class MachineFile implements OpenFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number> {
    let total = 0;
    while (total < length) {
      const { bytesRead } = await this.#handle.read(buffer, offset + total, length - total, position + total);
      if (bytesRead === 0) break;
      total += bytesRead;
    }
    return total;
  }

  append(bytes: Uint8Array | readonly Uint8Array[]): Promise<void> {
    if (bytes instanceof Uint8Array) return this.#write(bytes);
    const size = bytes.reduce((sum, part) => sum + part.length, 0);
    return size <= maxCopiedBytes ? this.#write(Buffer.concat(bytes, size)) : this.#writeParts(bytes, size);
  }

  datasync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#handle.fd, (error) => (error ? reject(error) : resolve()));
    });
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      write(this.#handle.fd, bytes, 0, bytes.length, null, (error, written) => {
        if (error) reject(error);
        else if (written === bytes.length) resolve();
        // A nearly full disk writes only a part. The next attempt then gets the error.
        else if (written === 0) reject(new Error('The disk wrote 0 bytes.'));
        else this.#write(bytes.subarray(written)).then(resolve, reject);
      });
    });
  }

  #writeParts(parts: readonly Uint8Array[], size: number): Promise<void> {
    return new Promise((resolve, reject) => {
      writev(this.#handle.fd, parts as Uint8Array[], null, (error, written) => {
        if (error) reject(error);
        else if (written === size) resolve();
        else this.#write(Buffer.concat(parts, size).subarray(written)).then(resolve, reject);
      });
    });
  }
}
