import type { TemporaryFile } from './temporary-file.ts';
import { gatherPieces } from '../store/codec/gather-pieces.ts';
import type { UploadInProgress } from './upload-budget.ts';

const pieceBytes = 256 * 1024;

/** An upload that can be read more than once. It must be closed. */
export interface WholeUpload {
  /**
   * Yields the pieces once all of them have arrived, so that a slow client occupies nothing that others wait for.
   * Throws `overloaded` if the budget is exceeded, and `storage_unavailable` if the temporary file can't be written.
   */
  read(): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

/** Receives an upload with the first `read`. All but the first piece are stored in a temporary file. */
export function receiveWhole(upload: UploadInProgress, uploaded: AsyncIterable<Uint8Array>): WholeUpload {
  const pieces = gatherPieces(uploaded, pieceBytes);
  let first: IteratorResult<Uint8Array> | null = null;
  let file: TemporaryFile | null = null;
  return {
    async *read() {
      first ??= await pieces.next();
      for await (const piece of pieces) {
        file ??= await upload.openFile();
        upload.add(piece.length);
        await file.append(piece);
      }
      upload.isComplete = true;
      if (!first.done) yield first.value;
      if (file) yield* file.pieces();
    },
    async close() {
      await file?.close();
      upload.bytes = 0;
      await pieces.return(undefined);
    },
  };
}
