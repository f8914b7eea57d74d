import { ProblemError } from '../../problem.ts';
import type { Log } from './storage-driver.ts';

/** Room that stays free for the writes during a compaction: `sparePart` of the storage, but at most this. */
const maxSpareBytes = 4 * 1024 * 1024;
const sparePart = 1 / 16;
/** A compaction writes the state again, and a little more, before it drops the old log. */
const stateFactor = 1.2;
/** Below this many times the room that compaction needs, the operator is warned. */
const lowFactor = 2;
/** A warning ends, and reports are accepted again, only above this many times the limit. */
const recoveryFactor = 1.05;
/** The part of the spare room that writes of a full storage leave to deletions. */
const deletionPart = 1 / 2;
const fullRetrySeconds = 60;

/**
 * Tracks how much room the storage has. Compaction, which frees space, needs room for the state. So reports and
 * uploads are rejected before that room is used up, and deleting and compacting remain possible. A storage whose room
 * is unknown counts as unlimited.
 */
export class StorageRoom {
  isFull = false;
  /** True if the storage is full, or will soon be. */
  isLow = false;
  readonly #log: Pick<Log, 'roomBytes' | 'sizeBytes'>;
  readonly #stateBytes: () => number;
  readonly #warn: (error: unknown, message: string) => void;
  #measuredBytes = Infinity;
  #logBytes = 0;
  #measuring: Promise<void> | null = null;
  /** Size of the log when the running compaction began, or null. */
  #compactionStart: number | null = null;

  /** `stateBytes` returns the size of the state if it were written now. */
  constructor(
    log: Pick<Log, 'roomBytes' | 'sizeBytes'>,
    stateBytes: () => number,
    warn: (error: unknown, message: string) => void,
  ) {
    this.#log = log;
    this.#stateBytes = stateBytes;
    this.#warn = warn;
  }

  /** Bytes that are free now: as measured, less what the log has grown by since. */
  get bytes(): number {
    return this.#measuredBytes - Math.max(0, this.#log.sizeBytes - this.#logBytes);
  }

  /** Bytes that a compaction needs, or that the running one still needs. */
  get neededBytes(): number {
    const writtenBytes = this.#compactionStart === null ? 0 : this.#log.sizeBytes - this.#compactionStart;
    return Math.max(0, stateFactor * this.#stateBytes() - writtenBytes) + this.#spareBytes;
  }

  get #spareBytes(): number {
    return Math.min(maxSpareBytes, sparePart * (this.#measuredBytes + this.#logBytes));
  }

  /** Runs a compaction. What it writes uses the room that was kept for it. */
  async duringCompaction<Result>(compaction: () => Promise<Result>): Promise<Result> {
    this.#compactionStart = this.#log.sizeBytes;
    try {
      return await compaction();
    } finally {
      this.#compactionStart = null;
    }
  }

  /** Checks the room after the log has grown. */
  update(): void {
    if (Number.isFinite(this.#measuredBytes)) this.#update();
  }

  /** Measures the room. Rejects if the storage can't measure it. Calls during a measurement share its result. */
  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => (this.#measuring = null));
    return this.#measuring;
  }

  /** Measures a full storage again: space may have been freed since. */
  async recheck(): Promise<void> {
    if (this.isFull) await this.measure().catch(() => undefined);
  }

  async #measure(): Promise<void> {
    if (!this.#log.roomBytes) return;
    const logBytes = this.#log.sizeBytes;
    this.#measuredBytes = await this.#log.roomBytes();
    this.#logBytes = logBytes;
    this.#update();
  }

  /** Throws `storage_unavailable` if the storage has no room for more reports or source maps. */
  assertFree(): void {
    if (this.isFull) throw storageFull();
  }

  /**
   * Throws `storage_unavailable` if the rest of the room is needed to delete something. Projects, members and settings
   * take room, too: without this limit, they would fill the disk, and then nothing could be deleted.
   */
  assertWritable(): void {
    if (this.isFull && this.bytes < this.neededBytes - deletionPart * this.#spareBytes) throw storageFull();
  }

  #update(): void {
    const { bytes, neededBytes } = this;
    const wasFull = this.isFull;
    const wasLow = this.isLow;
    this.isFull = bytes < neededBytes * (wasFull ? recoveryFactor : 1);
    this.isLow = bytes < neededBytes * lowFactor * (wasLow ? recoveryFactor : 1);
    if (this.isFull && !wasFull) this.#warn(null, `the storage is full: ${reason(bytes)}; deleting still works`);
    else if (wasFull && !this.isFull) this.#warn(null, 'the storage has room again: reports are accepted');
    else if (this.isLow && !wasLow) this.#warn(null, `the storage will soon be full: ${reason(bytes)}`);
  }
}

function storageFull(): ProblemError {
  return new ProblemError('storage_unavailable', 'The storage of the server is full. Try again later.', {
    retryAfterSeconds: fullRetrySeconds,
  });
}

function reason(bytes: number): string {
  const freeMb = Math.max(0, Math.floor(bytes / 1024 / 1024));
  return `${freeMb} MB are free, and the server needs room to write its state again; reports are rejected without it`;
}
