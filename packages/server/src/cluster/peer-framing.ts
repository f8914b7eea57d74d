/** Bytes of the two lengths before a part. */
const lengthsBytes = 8;
const maxPartHeadBytes = 256 * 1024;
const maxPartBodyBytes = 1024 * 1024;

/** A part of a forwarded batch: a report or the response to one. */
export interface PeerPart<Head> {
  head: Head;
  body: Buffer;
}

/** Returns a part as bytes: the lengths of head and body in 32 bits each, the head as JSON, and the body. */
export function packPart(head: object, body: Buffer): Buffer {
  const json = JSON.stringify(head);
  const headBytes = Buffer.byteLength(json);
  const part = Buffer.allocUnsafe(lengthsBytes + headBytes + body.length);
  part.writeUInt32LE(headBytes, 0);
  part.writeUInt32LE(body.length, 4);
  part.write(json, lengthsBytes);
  body.copy(part, lengthsBytes + headBytes);
  return part;
}

/** Reads parts that arrive in pieces of any size. */
export class PartReader<Head> {
  #pieces: Buffer[] = [];
  #size = 0;
  /** The size at which the next part, or at least its lengths, may be complete. */
  #needed = lengthsBytes;

  /** Returns the parts that this piece completes. Throws if the bytes are no parts, or a part is too large. */
  push(piece: Buffer): PeerPart<Head>[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size < this.#needed) return [];
    let bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#size);
    const parts: PeerPart<Head>[] = [];
    for (;;) {
      this.#needed = lengthsBytes;
      if (bytes.length < lengthsBytes) break;
      const headEnd = lengthsBytes + bytes.readUInt32LE(0);
      this.#needed = headEnd + bytes.readUInt32LE(4);
      if (headEnd > lengthsBytes + maxPartHeadBytes || this.#needed > headEnd + maxPartBodyBytes)
        throw new Error('The part is too large.');
      if (bytes.length < this.#needed) break;
      parts.push({
        head: JSON.parse(bytes.toString('utf8', lengthsBytes, headEnd)) as Head,
        body: bytes.subarray(headEnd, this.#needed),
      });
      bytes = bytes.subarray(this.#needed);
    }
    this.#pieces = [bytes];
    this.#size = bytes.length;
    return parts;
  }
}
