/**
 * The interface of a storage: an append-only log, and blobs.
 * Durable data is never overwritten in place, so a kill can only tear a write that was not acknowledged.
 */
export interface StorageDriver {
  /** The storage as the operator named it, without secrets: `file:./.service-data`. */
  readonly name: string;
  /** A sentence for the operator: which failures an acknowledged report survives. */
  readonly durability: string;
  /** The folder of the storage, if it has one. It may also contain files that no backup needs. */
  readonly folder?: string;
  readonly log: Log;
  readonly blobs: Blobs;
  /**
   * Resolves once another server has taken over the storage, or the storage has lost writes. From then on every write
   * fails.
   */
  readonly lost?: Promise<Error>;
  /**
   * Returns whether this server holds the log for sure at this moment. Otherwise another one may do its background
   * jobs. Only a storage that several servers use has it.
   */
  isHeld?(): boolean;
  close(): Promise<void>;
}

/** A storage into which a backup can be restored before its log is read. */
export interface RestorableDriver extends StorageDriver {
  /** Resolves with whether the log was never written to. */
  isEmpty(): Promise<boolean>;
  /**
   * Replaces the log by another one. Atomic: even after a crash, the next open finds either the old log or the new one.
   * `batches` is called with the number that the first batch will have.
   */
  replaceLog(batches: (first: number) => AsyncIterable<Batch>): Promise<void>;
}

/** The entries in commit order, in batches that are numbered from 1 without gaps. */
export interface Log {
  /** Yields every batch of the log, oldest first. Called once, at start, before the first append. */
  read(): AsyncIterable<LoggedBatch>;
  /** Parts of the log that `read` found incomplete and skipped. */
  readonly dropped: readonly DroppedPart[];
  /**
   * Removes dropped parts that the next start would find again. Called once the ids that these parts may have assigned
   * are skipped durably.
   */
  removeDropped?(): Promise<void>;
  /**
   * Resolves once the batch is durable, with its position. After a rejection the outcome is unknown
   * until the next append, which has the same number and replaces the failed one.
   * Bodies are written after the bytes, each with its own header (`batch-frame.ts`). A start skips them.
   */
  append(number: number, bytes: Uint8Array, bodies?: readonly Uint8Array[]): Promise<number>;
  /** Reads a part of the batch at `position`, as `read` or `append` returned it. Rejects if the batch was dropped. */
  readAt(position: number, offset: number, length: number): Promise<Uint8Array>;
  /** Makes the next batch begin a separate part of the log, so that everything before it can be dropped. */
  seal(): Promise<void>;
  /**
   * Frees the parts that contain only batches before this number. Deletes the oldest first, so that a kill leaves a
   * shorter log without gaps.
   */
  dropBefore(number: number): Promise<void>;
  /** Size of the log. */
  readonly sizeBytes: number;
  /** Bytes by which the log can still grow. Absent where that is unknown. */
  roomBytes?(): Promise<number>;
}

/**
 * A log to which several servers may append. It remembers the newest batch that it has read or appended, and an append
 * names that batch as its predecessor. So of two servers that append the same number, one fails, and a storage that has
 * lost its newest batches accepts no more.
 */
export interface SharedLog extends Log {
  /**
   * Resolves as `Log.append` does. Rejects with a `BatchTakenError` if another batch has this number. This batch
   * is then not stored, and never will be.
   */
  append(number: number, bytes: Uint8Array, bodies?: readonly Uint8Array[]): Promise<number>;
  /** Yields the batches after the newest that this log has read or appended: other servers have appended them. */
  readNew(): AsyncIterable<LoggedBatch>;
}

/** Returns whether other servers may append to this log. */
export function isShared(log: Log): log is SharedLog {
  return 'readNew' in log;
}

/**
 * An incomplete part of a log: a write torn by a crash before it was acknowledged, or data that the disk lost later.
 */
export interface DroppedPart {
  /** Names the file or the item for the operator. */
  location: string;
  bytes: number;
  /** True if a crash can cause this. Otherwise the storage has lost durable data. */
  isTorn: boolean;
}

export interface LoggedBatch {
  number: number;
  /** The position of the batch. Its meaning depends on the driver. */
  position: number;
  /** The entries without the bodies. Valid until the next batch is requested. */
  bytes: Uint8Array;
  /** Size of the bodies, each with its header. Only shared logs set it. */
  bodiesBytes?: number;
}

/** The entries and the bodies of a batch to store. */
export interface Batch {
  bytes: Uint8Array;
  bodies: readonly Uint8Array[];
}

/** Stored files by name. The server makes the names, never a client: lower-case letters, digits and `-`. */
export interface Blobs {
  /** Resolves once the blob is durable. Each name is written only once. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes a blob from pieces, as `put` does. Only a few pieces are in memory at a time, unless the storage itself is
   * memory. If the pieces end with an error, nothing is stored and this rejects with that error.
   */
  putPieces(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  get(name: string): Promise<Uint8Array | null>;
  /**
   * Reads from `start` to `end`, or to the end of the blob. Resolves with null if the blob does not exist or is
   * incomplete.
   */
  read(name: string, start: number, end: number): Promise<Uint8Array | null>;
  /**
   * Yields the blob in pieces. Yields nothing if it does not exist. Throws a DamagedStorageError if it disappears while
   * it is read.
   */
  getPieces(name: string): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
  names(): Promise<string[]>;
}
