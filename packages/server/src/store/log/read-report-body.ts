import { DamagedStorageError, type Log } from './driver.ts';
import { bodyHeaderBytes, readFrameBody } from './frame.ts';
import type { LogPointer } from '../model/stored-reports.ts';

/** Reads the body of a stored report. Rejects with a DamagedStorageError if its bytes have changed. */
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
 * Reads the body of a report that a compaction may move during the read, or returns null if the report is no longer
 * stored. The bytes at the first position may be dropped before the read ends; then the new position is tried.
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
