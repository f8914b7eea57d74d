/** Bytes of the two lengths before a frame. */
const frameLengthBytes = 8;
const maxFrameHeadBytes = 256 * 1024;
const maxFrameBodyBytes = 1024 * 1024;

/** A part of a forwarded batch: a report or the response to one. */
export interface PeerFrame<Head> {
  head: Head;
  body: Buffer;
}

/** Returns a frame as bytes: the lengths of head and body in 32 bits each, the head as JSON, and the body. */
export function packFrame(head: object, body: Buffer): Buffer {
  const json = JSON.stringify(head);
  const headBytes = Buffer.byteLength(json);
  const frame = Buffer.allocUnsafe(frameLengthBytes + headBytes + body.length);
  frame.writeUInt32LE(headBytes, 0);
  frame.writeUInt32LE(body.length, 4);
  frame.write(json, frameLengthBytes);
  body.copy(frame, frameLengthBytes + headBytes);
  return frame;
}

/** Reads frames that arrive in pieces of any size. */
export class FrameReader<Head> {
  #pieces: Buffer[] = [];
  #size = 0;
  /** The size at which the next frame, or at least its lengths, may be complete. */
  #needed = frameLengthBytes;

  /** Returns the frames that this piece completes. Throws if the bytes are no frames, or a frame is too large. */
  push(piece: Buffer): PeerFrame<Head>[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size < this.#needed) return [];
    let bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#size);
    const frames: PeerFrame<Head>[] = [];
    for (;;) {
      this.#needed = frameLengthBytes;
      if (bytes.length < frameLengthBytes) break;
      const headEnd = frameLengthBytes + bytes.readUInt32LE(0);
      this.#needed = headEnd + bytes.readUInt32LE(4);
      if (headEnd > frameLengthBytes + maxFrameHeadBytes || this.#needed > headEnd + maxFrameBodyBytes)
        throw new Error('The frame is too large.');
      if (bytes.length < this.#needed) break;
      frames.push({
        head: JSON.parse(bytes.toString('utf8', frameLengthBytes, headEnd)) as Head,
        body: bytes.subarray(headEnd, this.#needed),
      });
      bytes = bytes.subarray(this.#needed);
    }
    this.#pieces = [bytes];
    this.#size = bytes.length;
    return frames;
  }
}
