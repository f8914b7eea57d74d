import { fdatasync, write, writev } from 'node:fs';
import { open, readdir, rename, rm, statfs, type FileHandle } from 'node:fs/promises';
import { syncFolder } from './sync-folder.ts';

/** What the file driver asks of a file system: the machine's, or in tests one that fails. */
export interface Files {
  /** To read, or to write anew. */
  open(path: string, flags: 'r' | 'w'): Promise<OpenFile>;
  readdir(path: string): Promise<string[]>;
  /** No error if it is not there. */
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Makes new, renamed and removed names of a folder durable. */
  syncFolder(path: string): Promise<void>;
  /** Bytes that the file system of a folder has left. */
  room?(path: string): Promise<number>;
}

export interface OpenFile {
  /** Resolves with the bytes read: fewer than asked for only at the end of the file. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  /** Writes all of it behind what is there, or rejects. */
  append(bytes: Uint8Array | readonly Uint8Array[]): Promise<void>;
  datasync(): Promise<void>;
  size(): Promise<number>;
  /** Resolves once reads that are under way are through. */
  close(): Promise<void>;
}

export const machineFiles: Files = {
  open: async (path, flags) => new MachineFile(await open(path, flags)),
  readdir: (path) => readdir(path),
  remove: (path) => rm(path, { force: true }),
  rename: (from, to) => rename(from, to),
  syncFolder,
  async room(path) {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  },
};

/** Copying so much costs less than handing it to the system in pieces. */
const copiedBytes = 64 * 1024;

/** Writes go by the descriptor and callbacks: a handle's own promises take 20 µs more a batch. */
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
    return size <= copiedBytes ? this.#write(Buffer.concat(bytes, size)) : this.#writeParts(bytes, size);
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
        // A disk that is nearly full takes a part: the next attempt is told why.
        else if (written === 0) reject(new Error('The disk takes nothing.'));
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
