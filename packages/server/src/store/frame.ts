import { crc32 } from 'node:zlib';

/*
 * A batch on its way to a storage carries its length, a checksum and its number, so that a reader can tell
 * a whole batch from a torn or foreign one: u32 length, u32 CRC-32 of all that follows, u64 number, bytes.
 */

export const frameHeaderBytes = 16;

/** A frame in parts, to be written one behind the other. */
export function frameBatch(number: number, bytes: Uint8Array, bodies: readonly Uint8Array[] = []): Uint8Array[] {
  const header = Buffer.allocUnsafe(frameHeaderBytes);
  header.writeUInt32LE(
    bodies.reduce((sum, body) => sum + body.length, bytes.length),
    0,
  );
  header.writeBigUInt64LE(BigInt(number), 8);
  let checksum = crc32(bytes, crc32(header.subarray(8)));
  for (const body of bodies) checksum = crc32(body, checksum);
  header.writeUInt32LE(checksum, 4);
  return [header, bytes, ...bodies];
}

/** Length of the frame that begins at `offset`, or null where not even its header is there. */
export function frameLength(buffer: Buffer, offset: number): number | null {
  if (buffer.length - offset < frameHeaderBytes) return null;
  return frameHeaderBytes + buffer.readUInt32LE(offset);
}

/** The batch in a frame, or null if a byte of it is not as it was written. */
export function openFrame(frame: Buffer): { number: number; bytes: Buffer } | null {
  if (frame.length < frameHeaderBytes || frame.length !== frameLength(frame, 0)) return null;
  if (crc32(frame.subarray(8)) !== frame.readUInt32LE(4)) return null;
  return { number: Number(frame.readBigUInt64LE(8)), bytes: frame.subarray(frameHeaderBytes) };
}
