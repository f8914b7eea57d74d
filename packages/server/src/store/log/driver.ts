/**
 * What the store requires of a storage: an append-only log, and blobs. Durable data is never overwritten in place, so a
 * kill can only tear writes that were not acknowledged.
 */
export interface Driver {
  /** The storage as the operator named it, without secrets: `file:./.service-data`. */
  readonly name: string;
  /** What an acknowledged write survives, as text for the operator. */
  readonly promise: string;
  readonly log: Log;
  readonly blobs: Blobs;
  /** Resolves if another server takes over the storage, or if it has lost writes. From then on nothing is written. */
  readonly lost?: Promise<Error>;
  close(): Promise<void>;
}

/** A storage that a backup can be put into, before its log is read. */
export interface RestorableDriver extends Driver {
  /** Whether the log holds anything, or has. */
  isEmpty(): Promise<boolean>;
  /**
   * Replaces the log atomically: even after a kill, the next start finds either the old log or the new one. `batches` is
   * called with the number of the first batch.
   */
  replaceLog(batches: (first: number) => AsyncIterable<Batch>): Promise<void>;
}

export interface Batch {
  bytes: Uint8Array;
  bodies: readonly Uint8Array[];
}

/** Batches of entries in the order of their transactions, numbered from 1 without gaps. */
export interface Log {
  /** Every batch of the log, oldest first. Read once, at start, before the first append. */
  read(): AsyncIterable<LoggedBatch>;
  /** What `read` found to be incomplete and left out. */
  readonly dropped: readonly DroppedPart[];
  /** Removes what of it would be found again, once nothing depends on finding it. */
  removeDropped?(): Promise<void>;
  /**
   * Resolves with the position of the batch once it is durable. After a rejection the outcome is unknown until the next
   * append, which has the same number and replaces the failed one. Bodies follow the bytes, each after a header
   * (`frame.ts`), so that a start can skip them.
   */
  append(number: number, bytes: Uint8Array, bodies?: readonly Uint8Array[]): Promise<number>;
  /** Reads a part of the batch at `position`. Rejects if the batch was dropped. */
  readAt(position: number, offset: number, length: number): Promise<Uint8Array>;
  /** Starts a new part of the log with the next batch, so that everything before it can be dropped. */
  seal(): Promise<void>;
  /** Frees what holds only batches before this number. Oldest first: a kill in between leaves a shorter log. */
  dropBefore(number: number): Promise<void>;
  /** Bytes the log takes. */
  readonly sizeBytes: number;
  /** Bytes it could take besides, where that is known. */
  roomBytes?(): Promise<number>;
}

/** A part of a log that is not whole: torn by a crash before it was answered, or lost by the disk after that. */
export interface DroppedPart {
  /** The file or the item, for the operator. */
  place: string;
  bytes: number;
  /** Whether a crash can leave it like this. If not, the storage has lost data that was durable. */
  isTorn: boolean;
}

export interface LoggedBatch {
  number: number;
  /** The position of the batch, in units of the driver. */
  position: number;
  /** Without the bodies; good until the next batch is asked for. */
  bytes: Uint8Array;
}

/** Whole files by name. Names are made here, never by a client: lower-case letters, digits and `-`. */
export interface Blobs {
  /** Resolves once durable. A name is written once. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * As `put`, of bytes that come in pieces: however many they are, only a few are in memory (but for a storage that is
   * memory itself). If the pieces end with an error, nothing is kept, and it rejects with that.
   */
  putPieces(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  get(name: string): Promise<Uint8Array | null>;
  /** Reads the bytes from `start` up to `end`, or to the end of the blob. Null if the blob or a part of it is missing. */
  read(name: string, start: number, end: number): Promise<Uint8Array | null>;
  /** Reads a blob in pieces; none if it is missing. Throws a DamagedStorageError if it disappears during the read. */
  getPieces(name: string): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
  names(): Promise<string[]>;
}

/** The storage holds something that this program did not write, or not like this. Stops the start. */
export class DamagedStorageError extends Error {
  override readonly name = 'DamagedStorageError';
}

/** The storage can't be used as it is configured, or not at all: in one line for the operator. Stops the start. */
export class UnusableStorageError extends Error {
  override readonly name = 'UnusableStorageError';
}
