import { randomUUID } from 'node:crypto';
import { open, statfs, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemError } from '../problem.ts';

const bytesPerRead = 256 * 1024;

/**
 * A file in the temporary folder of the system, without a name: the name is removed as soon as the file is open. So the
 * system frees its bytes when the file is closed, also if the process is killed. All methods but `close` reject with
 * `storage_unavailable` if the folder is full, missing or not writable.
 */
export class TemporaryFile {
  /** Free bytes of the folder when the file was opened. */
  readonly freeBytes: number;
  readonly #file: FileHandle;
  #bytes = 0;

  private constructor(file: FileHandle, freeBytes: number) {
    this.#file = file;
    this.freeBytes = freeBytes;
  }

  static open(): Promise<TemporaryFile> {
    const path = join(tmpdir(), `service-upload-${randomUUID()}`);
    return onDisk(async () => {
      const { bavail, bsize } = await statfs(tmpdir());
      const file = await open(path, 'wx+', 0o600);
      try {
        await unlink(path);
        return new TemporaryFile(file, bavail * bsize);
      } catch (error) {
        await file.close();
        throw error;
      }
    });
  }

  async append(bytes: Uint8Array): Promise<void> {
    // Unlike `write`, this stores all bytes.
    await onDisk(() => this.#file.writeFile(bytes));
    this.#bytes += bytes.length;
  }

  get sizeBytes(): number {
    return this.#bytes;
  }

  /** Yields the bytes from `start` to before `end`. */
  async *pieces(start = 0, end = this.#bytes): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end;) {
      const piece = Buffer.allocUnsafeSlow(Math.min(bytesPerRead, end - at));
      const { bytesRead } = await onDisk(() => this.#file.read(piece, 0, piece.length, at));
      if (bytesRead === 0) throw new Error('A temporary file ended early.');
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function onDisk<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (cause) {
    throw new ProblemError(
      'storage_unavailable',
      'The server has no room for temporary files at the moment. Try again later.',
      { retryAfterSeconds: 5, cause },
    );
  }
}
