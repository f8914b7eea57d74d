import { ProblemError } from '../problem.ts';
import { ChunkList } from '../store/codec/chunk-list.ts';
import { partTooLarge } from './part-too-large.ts';
import { isRecord } from '../validation/validation.ts';

/** A JSON object of a header line. Its fields may have any type. */
export type EnvelopeHeader = Readonly<Record<string, unknown>>;

/** Receives the contents of an envelope, in order. Each method may throw to reject the envelope. */
export interface EnvelopeSink {
  onEnvelope(header: EnvelopeHeader): void;
  /** Returns the largest payload to keep, in bytes, or 0 to skip the item. */
  onItem(header: EnvelopeHeader): number;
  /** Called with the whole payload of each item that is kept. */
  onPayload(header: EnvelopeHeader, payload: Buffer): void;
}

const lineFeed = 0x0a;
/** Header lines of SDKs have a few hundred bytes. */
const maxHeaderLineBytes = 8 * 1024;
/**
 * Envelopes of SDKs have at most a few hundred items. An empty line counts as an item. What follows this many items is
 * ignored.
 */
export const maxEnvelopeItems = 1_000;

/**
 * Reads an envelope of Sentry's SDKs from pieces of any size:
 *
 *     {"event_id":"…"}          the header of the envelope
 *     {"type":"event"}          the header of an item
 *     {"exception":…}           its payload, up to the next newline, or as long as `length` in its header
 *
 * Keeps only what the sink asks for, so a skipped item takes no memory, whatever its length. Unknown types are no
 * error.
 */
export class EnvelopeReader {
  readonly #sink: EnvelopeSink;
  #state: 'envelope' | 'item' | 'payload' | 'separator' | 'ignored' = 'envelope';
  /** The pieces of a header line, or of a payload that is kept. */
  readonly #kept = new ChunkList();
  #item: EnvelopeHeader = {};
  #maxPayloadBytes = 0;
  /** Bytes of the payload that are still to come, or null if it ends with the line. */
  #remaining: number | null = null;
  #items = 0;

  constructor(sink: EnvelopeSink) {
    this.#sink = sink;
  }

  /** Bytes in memory. */
  get heldBytes(): number {
    return this.#kept.size;
  }

  /** True if the rest of the body is ignored. */
  get isDone(): boolean {
    return this.#state === 'ignored';
  }

  /**
   * Reads the next piece. Throws `bad_request` if the body is not an envelope, and `payload_too_large` if a header line
   * or a payload is too long.
   */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && this.#state !== 'ignored') {
      if (this.#state === 'separator') {
        if (chunk[at++] !== lineFeed) throw noEnvelope();
        this.#state = 'item';
      } else if (this.#state === 'payload' && this.#remaining !== null) at = this.#readCounted(chunk, at);
      else at = this.#readLine(chunk, at);
    }
  }

  /** Reads the end. Throws `bad_request` if the last header line, or the last payload that is kept, is incomplete. */
  end(): void {
    if (this.#state === 'payload' && this.#remaining !== null) {
      if (this.#maxPayloadBytes > 0) throw noEnvelope();
    } else if (this.#state === 'payload' || this.#kept.size > 0) this.#finishLine();
    this.#state = 'ignored';
  }

  #readCounted(chunk: Buffer, from: number): number {
    const remaining = this.#remaining ?? 0;
    const end = Math.min(chunk.length, from + remaining);
    if (this.#maxPayloadBytes > 0) this.#keep(chunk.subarray(from, end), this.#maxPayloadBytes);
    this.#remaining = remaining - (end - from);
    if (this.#remaining === 0) this.#finishPayload('separator');
    return end;
  }

  #readLine(chunk: Buffer, from: number): number {
    const found = chunk.indexOf(lineFeed, from);
    const end = found === -1 ? chunk.length : found;
    const isPayload = this.#state === 'payload';
    if (!isPayload) this.#keep(chunk.subarray(from, end), maxHeaderLineBytes);
    else if (this.#maxPayloadBytes > 0) this.#keep(chunk.subarray(from, end), this.#maxPayloadBytes);
    if (found !== -1) this.#finishLine();
    return end + 1;
  }

  #finishLine(): void {
    if (this.#state === 'payload') return this.#finishPayload('item');
    const line = this.#takeKept();
    const isHeader = this.#state === 'envelope';
    // Envelopes may end with empty lines, and an empty body is an empty envelope. Many empty lines are an attack: they
    // are compressed to a thousandth.
    if (isBlankLine(line)) {
      if (!this.#countItem() && isHeader) throw noEnvelope();
      return;
    }
    const header = readHeader(line);
    if (isHeader) {
      this.#state = 'item';
      this.#sink.onEnvelope(header);
    } else if (this.#countItem()) this.#startItem(header);
  }

  /** Returns false, and ignores the rest, if the envelope has too many items. */
  #countItem(): boolean {
    if (++this.#items <= maxEnvelopeItems) return true;
    this.#state = 'ignored';
    return false;
  }

  #startItem(header: EnvelopeHeader): void {
    const { length } = header;
    this.#item = header;
    this.#maxPayloadBytes = this.#sink.onItem(header);
    this.#remaining = Number.isSafeInteger(length) && (length as number) >= 0 ? (length as number) : null;
    if (this.#maxPayloadBytes > 0 && (this.#remaining ?? 0) > this.#maxPayloadBytes)
      throw partTooLarge(this.#maxPayloadBytes);
    this.#state = 'payload';
    if (this.#remaining === 0) this.#finishPayload('separator');
  }

  #finishPayload(next: 'item' | 'separator'): void {
    this.#state = next;
    if (this.#maxPayloadBytes > 0) this.#sink.onPayload(this.#item, this.#takeKept());
  }

  #keep(piece: Buffer, maxBytes: number): void {
    if (this.#kept.size + piece.length > maxBytes) throw partTooLarge(maxBytes);
    if (piece.length > 0) this.#kept.push(piece);
  }

  #takeKept(): Buffer {
    const kept = this.#kept.join();
    this.#kept.clear();
    return kept;
  }
}

function isBlankLine(line: Buffer): boolean {
  return line.length === 0 || (line.length < 16 && line.toString('latin1').trim() === '');
}

function readHeader(line: Buffer): EnvelopeHeader {
  let header: unknown;
  try {
    header = JSON.parse(line.toString());
  } catch {
    throw noEnvelope();
  }
  if (!isRecord(header)) throw noEnvelope();
  return header;
}

function noEnvelope(): ProblemError {
  return new ProblemError('bad_request', 'The body is not an envelope of a Sentry SDK.');
}
