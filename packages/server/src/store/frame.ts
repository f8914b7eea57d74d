import { crc32 } from 'node:zlib';

/*
 * A batch on its way to a storage carries its length, a checksum and its number, so that a reader can tell
 * a whole batch from a torn or foreign one: u32 length, u32 CRC-32 of all that follows, u64 number, bytes.
 */

export const frameHeaderBytes = 16;

export function frameBatch(number: number, bytes: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(frameHeaderBytes + bytes.length);
  frame.writeUInt32LE(bytes.length, 0);
  frame.writeBigUInt64LE(BigInt(number), 8);
  frame.set(bytes, frameHeaderBytes);
  frame.writeUInt32LE(crc32(frame.subarray(8)), 4);
  return frame;
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
