import { DamagedStorageError, type Log } from './driver.ts';
import { bodyHeaderBytes, readFrameBody } from './frame.ts';
import type { LogPointer } from '../model/stored-reports.ts';

/** The bytes of a kept report. Rejects with a DamagedStorageError if they are not those that were written. */
export async function readReportBody(log: Log, { id, position, offset, length }: LogPointer): Promise<Buffer> {
  const bytes = await log.readAt(position, offset - bodyHeaderBytes, bodyHeaderBytes + length);
  const body = readFrameBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (body?.length === length) return body;
  throw new DamagedStorageError(
    `Report ${id} is damaged (byte ${offset} of the batch at ${position} of the log). ` +
      'The storage has lost data that was stored; restore it from a backup.',
  );
}

/**
 * The same wherever compaction has moved it meanwhile, or null once it is not kept any more: what stood at a place
 * when somebody began to read may be gone before they are done.
 */
export async function readStoredReportBody(log: Log, find: () => LogPointer | undefined): Promise<Buffer | null> {
  for (;;) {
    const found = find();
    if (!found) return null;
    const place = { ...found };
    try {
      return await readReportBody(log, place);
    } catch (error) {
      const now = find();
      if (now?.position === place.position && now.offset === place.offset) throw error;
    }
  }
}
