import type { Blobs } from './storage-blobs.ts';
import type { Batch, Log } from './storage-log.ts';

/**
 * The interface of a storage: an append-only log, and blobs.
 * Durable data is never overwritten in place, so a kill can only tear a write that was not acknowledged.
 */
export interface StorageDriver {
  /** The storage as the operator named it, without secrets: `file:./.service-data`. */
  readonly name: string;
  /** A sentence for the operator: which failures an acknowledged report survives. */
  readonly durability: string;
  readonly log: Log;
  readonly blobs: Blobs;
  /** Resolves once another server has taken over the storage, or it has lost writes. From then on every write fails. */
  readonly lost?: Promise<Error>;
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
