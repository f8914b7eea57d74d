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
