import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { ProblemError } from '../problem.ts';
import { bodyBudget } from './body-budget.ts';
import { discardRest, payloadTooLarge } from './body.ts';
import type { Incoming } from './incoming.ts';

/** Reads a body while it arrives, and keeps only a part of it. */
export interface PiecesReader {
  /** Throws to reject the body. */
  push(piece: Buffer): void;
  end(): void;
  /** The number of bytes that the reader holds. */
  readonly heldBytes: number;
  /** True if the reader needs no more of the body. */
  readonly isDone: boolean;
}

export interface PiecesLimits {
  /** Bytes that are sent. */
  sentBytes: number;
  /** Bytes after decompression. */
  decodedBytes: number;
}

/** A body may be decompressed to this size at any ratio. */
const freelyDecodedBytes = 1024 * 1024;
/** Beyond `freelyDecodedBytes`, a body may have this many times the bytes that were sent. */
const maxRatio = 200;
/** The memory of a decompressor. That of Brotli grows with its output, up to `maxBrotliBytes`. */
const unzipBytes = 64 * 1024;
const maxBrotliBytes = 16 * 1024 * 1024;

/**
 * Passes a body to a reader in pieces, decompressed. Resolves with a function to call when the bytes of the reader are
 * no longer used: until then they count towards the memory of bodies. Throws `unsupported_media_type`, or
 * `payload_too_large` if the declared length is over the limit. Rejects with `payload_too_large`, `bad_request`,
 * `overloaded`, or the error of the reader.
 */
export function receivePieces(request: Incoming, limits: PiecesLimits, reader: PiecesReader): Promise<() => void> {
  const encoding = readSentEncoding(request);
  if (Number(request.header('content-length') ?? 0) > limits.sentBytes) throw payloadTooLarge(limits.sentBytes);
  const body = request.body();
  const decoder = encoding === 'identity' ? null : encoding === 'br' ? createBrotliDecompress() : createUnzip();
  return new Promise((resolve, reject) => {
    let sent = 0;
    let decoded = 0;
    let counted = 0;
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      if (decoder) body.unpipe(decoder);
      decoder?.destroy();
      discardRest(body);
    };
    const stop = (error: unknown): void => {
      if (isOver) return;
      finish();
      held.release();
      reject(error as Error);
    };
    const complete = (): void => {
      if (isOver) return;
      finish();
      held.complete();
      resolve(() => held.release());
    };
    const held = bodyBudget.hold(stop);
    /** Catches errors of a listener: an uncaught one would end the process. */
    const guarded = (listener: () => void): void => {
      if (isOver) return;
      try {
        listener();
      } catch (error) {
        stop(error);
      }
    };
    const onDecoded = (piece: Buffer): void => {
      decoded += piece.length;
      if (decoded > limits.decodedBytes || decoded > freelyDecodedBytes + maxRatio * sent)
        throw payloadTooLarge(Math.min(limits.decodedBytes, freelyDecodedBytes + maxRatio * sent));
      reader.push(piece);
      const holds = reader.heldBytes + decoderBytes(encoding, decoded);
      if (holds > counted) held.add(holds - counted);
      counted = Math.max(counted, holds);
      if (reader.isDone) complete();
    };
    const onEnd = (): void => {
      reader.end();
      complete();
    };
    const unreadable = (cause: unknown): void =>
      stop(new ProblemError('bad_request', 'The body could not be read to its end.', { cause }));
    body.on('data', (piece: Buffer) =>
      guarded(() => {
        sent += piece.length;
        if (sent > limits.sentBytes) throw payloadTooLarge(limits.sentBytes);
      }),
    );
    body.on('error', unreadable);
    const decodedStream: Readable | Transform = decoder ?? body;
    decodedStream.on('data', (piece: Buffer) => guarded(() => onDecoded(piece)));
    decodedStream.on('end', () => guarded(onEnd));
    if (decoder) {
      decoder.on('error', unreadable);
      body.pipe(decoder);
    }
  });
}

type Encoding = 'identity' | 'unzip' | 'br';

/** Throws `unsupported_media_type` for an unknown encoding. Some clients send an empty one for `identity`. */
function readSentEncoding(request: Incoming): Encoding {
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return 'identity';
  if (encoding === 'br') return 'br';
  if (/^(?:x-)?gzip$|^deflate$/.test(encoding)) return 'unzip';
  throw new ProblemError('unsupported_media_type', 'Send the body uncompressed, or as gzip, deflate or br.');
}

function decoderBytes(encoding: Encoding, decoded: number): number {
  if (encoding === 'identity') return 0;
  return encoding === 'br' ? Math.min(decoded, maxBrotliBytes) : unzipBytes;
}
