import { crc32 } from 'node:zlib';

/*
 * The format of a batch in a storage: a header, the entries, then the bodies that belong to the entries.
 *
 *   u32 length of the entries, u32 length of the bodies, u64 number of the batch, u32 CRC-32 of these 16 bytes,
 *   u32 CRC-32 of the entries; the entries; of each body u32 length, u32 CRC-32, and the body.
 *
 * Header and entries have checksums that do not cover the bodies. A start reads them and skips the bodies, which are a
 * hundred times larger. The reader of a body checks it.
 */

export const frameHeaderBytes = 24;
export const bodyHeaderBytes = 8;

export interface FrameHeader {
  number: number;
  entriesBytes: number;
  bodiesBytes: number;
  /** Size of the whole frame. */
  bytes: number;
}

/** Returns a frame as parts to be written one after another. */
export function frameBatch(number: number, entries: Uint8Array, bodies: readonly Uint8Array[] = []): Uint8Array[] {
  const framedBodies = frameBodies(bodies);
  const header = Buffer.allocUnsafe(frameHeaderBytes);
  header.writeUInt32LE(entries.length, 0);
  header.writeUInt32LE(
    framedBodies.reduce((sum, part) => sum + part.length, 0),
    4,
  );
  header.writeBigUInt64LE(BigInt(number), 8);
  header.writeUInt32LE(crc32(header.subarray(0, 16)), 16);
  header.writeUInt32LE(crc32(entries), 20);
  return [header, entries, ...framedBodies];
}

/** Returns the bodies of a frame, each after its header, as parts to be written one after another. */
export function frameBodies(bodies: readonly Uint8Array[]): Uint8Array[] {
  const headers = Buffer.allocUnsafe(bodies.length * bodyHeaderBytes);
  return bodies.flatMap((body, index) => {
    const header = headers.subarray(index * bodyHeaderBytes, (index + 1) * bodyHeaderBytes);
    header.writeUInt32LE(body.length, 0);
    header.writeUInt32LE(crc32(body), 4);
    return [header, body];
  });
}

/** Reads the header at the start of these bytes. Returns null if it is incomplete or its checksum is wrong. */
export function readFrameHeader(bytes: Buffer): FrameHeader | null {
  if (bytes.length < frameHeaderBytes || crc32(bytes.subarray(0, 16)) !== bytes.readUInt32LE(16)) return null;
  const entriesBytes = bytes.readUInt32LE(0);
  const bodiesBytes = bytes.readUInt32LE(4);
  const number = bytes.readUInt32LE(8) + bytes.readUInt32LE(12) * 2 ** 32;
  return { number, entriesBytes, bodiesBytes, bytes: frameHeaderBytes + entriesBytes + bodiesBytes };
}

/** Returns the entries of the frame, or null if they are incomplete or their checksum is wrong. */
export function readFrameEntries(frame: Buffer, { entriesBytes }: FrameHeader): Buffer | null {
  const entries = frame.subarray(frameHeaderBytes, frameHeaderBytes + entriesBytes);
  return entries.length === entriesBytes && crc32(entries) === frame.readUInt32LE(20) ? entries : null;
}

/** Returns whether every body of the frame is complete and has the right checksum. */
export function hasIntactBodies(frame: Buffer, { entriesBytes, bytes }: FrameHeader): boolean {
  return frame.length >= bytes && readFrameBodies(frame.subarray(frameHeaderBytes + entriesBytes, bytes)) !== null;
}

/** Returns the bodies of a frame, or null if one is incomplete or its checksum is wrong. */
export function readFrameBodies(bytes: Buffer): Buffer[] | null {
  const bodies: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    if (bytes.length - start < bodyHeaderBytes) return null;
    const end = start + bodyHeaderBytes + bytes.readUInt32LE(start);
    const body = end <= bytes.length ? readFrameBody(bytes.subarray(start, end)) : null;
    if (!body) return null;
    bodies.push(body);
    start = end;
  }
  return bodies;
}

/** Returns the body after its header, or null if it is incomplete or its checksum is wrong. */
export function readFrameBody(bytes: Buffer): Buffer | null {
  if (bytes.length < bodyHeaderBytes) return null;
  const body = bytes.subarray(bodyHeaderBytes);
  return body.length === bytes.readUInt32LE(0) && crc32(body) === bytes.readUInt32LE(4) ? body : null;
}
