import type { TemporaryFile } from '../storage/file/temporary-file.ts';
import { gather } from '../store/codec/gather.ts';
import type { HeldUpload } from '../limits/upload-budget.ts';

const pieceBytes = 256 * 1024;

/**
 * Yields the pieces of an upload once all of them have arrived, so that a slow client holds nothing that others wait
 * for. All but the first piece are stored in a temporary file. Throws `overloaded` if the budget is exceeded, and
 * `storage_unavailable` if the file can't be written.
 */
export async function* receiveWhole(
  upload: HeldUpload,
  uploaded: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const pieces = gather(uploaded, pieceBytes);
  let file: TemporaryFile | null = null;
  try {
    const first = await pieces.next();
    for await (const piece of pieces) {
      file ??= await upload.openFile();
      upload.add(piece.length);
      await file.append(piece);
    }
    upload.isComplete = true;
    if (!first.done) yield first.value;
    if (file) yield* file.pieces();
  } finally {
    await file?.close();
    upload.bytes = 0;
    await pieces.return(undefined);
  }
}
