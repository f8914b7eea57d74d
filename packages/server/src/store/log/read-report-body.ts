import { DamagedStorageError } from './storage-errors.ts';
import type { Log } from './storage-driver.ts';
import { bodyHeaderBytes, readFrameBody } from './batch-frame.ts';
import type { LogPointer } from '../model/log-pointer.ts';

/** Reads the body of a stored report. Rejects with a DamagedStorageError if it is damaged. */
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
 * Reads the body of a stored report, or returns null once the report is no longer stored. Compaction can move a report
 * while it is read, and drop the bytes at the old position. So a failed read is retried at the new position.
 */
export async function readStoredReportBody(log: Log, find: () => LogPointer | undefined): Promise<Buffer | null> {
  for (;;) {
    const found = find();
    if (!found) return null;
    const pointer = { ...found };
    try {
      return await readReportBody(log, pointer);
    } catch (error) {
      const current = find();
      if (current?.position === pointer.position && current.offset === pointer.offset) throw error;
    }
  }
}
