/**
 * What the store asks of a storage: a log that only grows, and blobs beside it.
 * Nothing durable is ever overwritten in place, so what a kill can tear is only what nobody was told about.
 */
export interface Driver {
  /** The storage as the operator named it, without secrets: `file:./.service-data`. */
  readonly name: string;
  /** What an answered write survives, in words for the operator. */
  readonly promise: string;
  readonly log: Log;
  readonly blobs: Blobs;
  /** Resolves, if ever, once another server has the storage, or it has lost writes: nothing is written here any more. */
  readonly lost?: Promise<Error>;
  close(): Promise<void>;
}

/** A storage that a backup can be put into, before its log is read. */
export interface RestorableDriver extends Driver {
  /** Whether the log holds anything, or has. */
  isEmpty(): Promise<boolean>;
  /**
   * Puts another log in the place of this one. However it ends, the next one to open the storage finds the one log or
   * the other. `batches` is told which number the first one will have.
   */
  replaceLog(batches: (first: number) => AsyncIterable<Batch>): Promise<void>;
}

export interface Batch {
  bytes: Uint8Array;
  bodies: readonly Uint8Array[];
}

/** Entries in the order they were decided, a batch at a time, numbered from 1 without gaps. */
export interface Log {
  /** Every batch of the log, oldest first. Read once, at start, before the first append. */
  read(): AsyncIterable<LoggedBatch>;
  /** What `read` found to be incomplete and left out. */
  readonly dropped: readonly DroppedPart[];
  /** Removes what of it would be found again, once nothing depends on finding it. */
  removeDropped?(): Promise<void>;
  /**
   * Resolves once the batch is durable, with its position. After a rejection the outcome is unknown
   * until the next append, which carries the same number again and takes the place of the failed one.
   * Bodies stand behind the bytes, each behind a header of its own (`frame.ts`): a start skips them.
   */
  append(number: number, bytes: Uint8Array, bodies?: readonly Uint8Array[]): Promise<number>;
  /** A part of a batch that was read or appended at `position`. Rejects where there is none any more. */
  readAt(position: number, offset: number, length: number): Promise<Uint8Array>;
  /** The next batch begins a part of the log of its own, so that all before it can be dropped. */
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
  /** Where the batch stands, in the driver's own terms. */
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
  /** The bytes from `start` up to `end`, fewer where the blob ends. Null if there is none, or if a part of it is gone. */
  read(name: string, start: number, end: number): Promise<Uint8Array | null>;
  /** The same in pieces, not one if there is none. Throws a DamagedStorageError if it goes away meanwhile. */
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
