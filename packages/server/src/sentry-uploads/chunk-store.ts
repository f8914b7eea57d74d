import { createHash } from 'node:crypto';
import { ProblemError } from '../problem.ts';
import { TemporaryFile } from '../storage/file/temporary-file.ts';
import { hourMs } from '../time/units.ts';

/** A part of a bundle in a temporary file. */
export interface BundleChunk {
  file: TemporaryFile;
  bytes: number;
  sha1: string;
}

interface HeldChunk extends BundleChunk {
  teamId: number;
  expiresAt: number;
  /** True while a bundle is assembled from it. */
  isInUse: boolean;
}

export const chunkBytes = 8 * 1024 * 1024;
/** The chunks of one bundle arrive within minutes. */
const keptMs = hourMs;
const mib = 1024 * 1024;
const maxTeamBytes = 512 * mib;
const maxBytes = 1024 * mib;
const maxChunks = 512;

/**
 * Keeps the chunks that tools of Sentry upload until they are assembled, for an hour at most. They are in temporary files,
 * so a restart of the server drops them, and the tool uploads them again.
 */
export class ChunkStore {
  readonly #chunks = new Map<string, HeldChunk>();
  readonly #now: () => number;

  /** `now` returns milliseconds of a clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the chunks with these hashes, or null for each one that is missing. */
  find(teamId: number, hashes: readonly string[]): (BundleChunk | null)[] {
    return hashes.map((sha1) => this.#chunks.get(chunkKey(teamId, sha1)) ?? null);
  }

  /** Writes an uploaded chunk. The caller must pass it to `add` or close its file. Rejects with `storage_unavailable`. */
  async receive(pieces: AsyncIterable<Uint8Array>): Promise<BundleChunk> {
    const file = await TemporaryFile.open();
    try {
      const sha1 = createHash('sha1');
      let bytes = 0;
      for await (const piece of pieces) {
        sha1.update(piece);
        bytes += piece.length;
        if (2 * bytes > file.freeBytes) throw tooManyChunks();
        await file.append(piece);
      }
      return { file, bytes, sha1: sha1.digest('hex') };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Keeps a chunk. Rejects with `overloaded` if the chunks of the team or of all teams take too much. */
  async add(teamId: number, chunk: BundleChunk): Promise<void> {
    await this.#removeExpired();
    const key = chunkKey(teamId, chunk.sha1);
    if (this.#chunks.has(key)) return chunk.file.close();
    const all = [...this.#chunks.values()];
    const isFull =
      all.length >= maxChunks ||
      totalChunkBytes(all) + chunk.bytes > maxBytes ||
      totalChunkBytes(all.filter((one) => one.teamId === teamId)) + chunk.bytes > maxTeamBytes;
    if (isFull) {
      await chunk.file.close();
      throw tooManyChunks();
    }
    this.#chunks.set(key, { ...chunk, teamId, expiresAt: this.#now() + keptMs, isInUse: false });
  }

  /** Keeps chunks from expiring while they are read. Returns a function that removes them. */
  use(teamId: number, hashes: readonly string[]): () => Promise<void> {
    const held = hashes.flatMap((sha1) => this.#chunks.get(chunkKey(teamId, sha1)) ?? []);
    for (const chunk of held) chunk.isInUse = true;
    return async () => {
      for (const chunk of held) await this.#remove(chunk);
    };
  }

  async close(): Promise<void> {
    for (const chunk of this.#chunks.values()) await this.#remove(chunk);
  }

  async #removeExpired(): Promise<void> {
    const now = this.#now();
    for (const chunk of this.#chunks.values()) if (!chunk.isInUse && chunk.expiresAt <= now) await this.#remove(chunk);
  }

  async #remove(chunk: HeldChunk): Promise<void> {
    const key = chunkKey(chunk.teamId, chunk.sha1);
    if (this.#chunks.get(key) !== chunk) return;
    this.#chunks.delete(key);
    await chunk.file.close();
  }
}

function chunkKey(teamId: number, sha1: string): string {
  return `${teamId} ${sha1}`;
}

function totalChunkBytes(chunks: readonly HeldChunk[]): number {
  return chunks.reduce((sum, { bytes }) => sum + bytes, 0);
}

function tooManyChunks(): ProblemError {
  return new ProblemError('overloaded', 'Too much is being uploaded at the moment. Try again in a minute.', {
    retryAfterSeconds: 60,
  });
}
