import { createHash } from 'node:crypto';
import { ProblemError } from '../problem.ts';
import type { UploadInProgress } from '../uploads/upload-budget.ts';
import type { TemporaryFile } from '../uploads/temporary-file.ts';
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
  /** Bundles that are being assembled from it. */
  users: number;
}

export const chunkBytes = 8 * 1024 * 1024;
/** Chunks that are not in use expire after this time. Those of one bundle arrive within minutes. */
const chunkLifetimeMs = hourMs;
const mib = 1024 * 1024;
const maxTeamBytes = 512 * mib;
const maxBytes = 1024 * mib;
const maxChunks = 512;
/** A bundle has at most 64 chunks. */
const maxTeamChunks = 256;

/**
 * Keeps the chunks that tools of Sentry upload until they are assembled. Expired ones are removed when the next chunk
 * arrives. They are in temporary files, so a restart of the server drops them, and the tool uploads them again.
 */
export class ChunkStore {
  readonly #chunks = new Map<string, HeldChunk>();
  readonly #now: () => number;

  /** `now` returns milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the chunks with these hashes, or null for each one that is missing. */
  find(teamId: number, hashes: readonly string[]): (BundleChunk | null)[] {
    return hashes.map((sha1) => this.#chunks.get(chunkKey(teamId, sha1)) ?? null);
  }

  /**
   * Writes an uploaded chunk. The caller must pass it to `add` or close its file. Rejects with `storage_unavailable` if
   * the file can't be written, and with `overloaded` if the budget of the upload is exceeded.
   */
  async receive(upload: UploadInProgress, pieces: AsyncIterable<Uint8Array>): Promise<BundleChunk> {
    const file = await upload.openFile();
    try {
      const sha1 = createHash('sha1');
      let bytes = 0;
      for await (const piece of pieces) {
        sha1.update(piece);
        bytes += piece.length;
        upload.add(piece.length);
        await file.append(piece);
      }
      upload.isComplete = true;
      return { file, bytes, sha1: sha1.digest('hex') };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Keeps a chunk. Rejects with `overloaded` if the chunks of this team take too much. If the chunks of all teams take
   * too much, removes the oldest unused chunks of the team with the largest share. Then rejects with `overloaded` if
   * that is this team, or if all its chunks are in use.
   */
  async add(teamId: number, chunk: BundleChunk): Promise<void> {
    await this.#removeExpired();
    const key = chunkKey(teamId, chunk.sha1);
    if (this.#chunks.has(key)) return chunk.file.close();
    // Nothing awaits until the chunk is added, so that chunks that arrive together don't exceed the limits.
    const removed: HeldChunk[] = [];
    const own = this.#chunksOf(teamId);
    let hasRoom = own.length < maxTeamChunks && totalChunkBytes(own) + chunk.bytes <= maxTeamBytes;
    while (hasRoom && this.#isFullFor(chunk)) {
      const oldest = this.#oldestOfLargestTeam(teamId);
      hasRoom = oldest !== undefined;
      if (oldest) {
        this.#chunks.delete(chunkKey(oldest.teamId, oldest.sha1));
        removed.push(oldest);
      }
    }
    if (hasRoom) this.#chunks.set(key, { ...chunk, teamId, expiresAt: this.#now() + chunkLifetimeMs, users: 0 });
    else removed.push({ ...chunk, teamId, expiresAt: 0, users: 0 });
    for (const { file } of removed) await file.close();
    if (!hasRoom) throw tooManyChunks();
  }

  #isFullFor({ bytes }: BundleChunk): boolean {
    return this.#chunks.size >= maxChunks || totalChunkBytes([...this.#chunks.values()]) + bytes > maxBytes;
  }

  /**
   * Returns the oldest chunk, of those not in use, of the team that has the largest share of the limits, unless that is
   * the given team.
   */
  #oldestOfLargestTeam(teamId: number): HeldChunk | undefined {
    const teams = [...new Set(Array.from(this.#chunks.values(), (chunk) => chunk.teamId))];
    const share = (id: number): number => {
      const chunks = this.#chunksOf(id);
      return Math.max(chunks.length / maxChunks, totalChunkBytes(chunks) / maxBytes);
    };
    const [largest] = teams.toSorted((a, b) => share(b) - share(a));
    return largest === undefined || largest === teamId
      ? undefined
      : this.#chunksOf(largest).find(({ users }) => users === 0);
  }

  #chunksOf(teamId: number): HeldChunk[] {
    return [...this.#chunks.values()].filter((chunk) => chunk.teamId === teamId);
  }

  /** Keeps chunks from expiring while they are read. Returns a function that removes them, unless others read them. */
  use(teamId: number, hashes: readonly string[]): () => Promise<void> {
    const held = hashes.flatMap((sha1) => this.#chunks.get(chunkKey(teamId, sha1)) ?? []);
    for (const chunk of held) chunk.users++;
    return async () => {
      for (const chunk of held) {
        chunk.users--;
        if (chunk.users === 0) await this.#remove(chunk);
      }
    };
  }

  async close(): Promise<void> {
    for (const chunk of this.#chunks.values()) await this.#remove(chunk);
  }

  async #removeExpired(): Promise<void> {
    const now = this.#now();
    for (const chunk of this.#chunks.values())
      if (chunk.users === 0 && chunk.expiresAt <= now) await this.#remove(chunk);
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
