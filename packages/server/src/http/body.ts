import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { limits } from '@service/protocol';
import type { H3Event } from 'h3';
import * as z from 'zod';
import { jsonText, parseJson } from '../validation/json.ts';
import { ProblemError } from '../problem.ts';
import { Semaphore } from '../jobs/semaphore.ts';
import { isRecord, validate, validationFailed } from '../validation/validation.ts';
import { bodyBudget } from './body-budget.ts';
import { bodyTurns, type BodyTurn } from './body-turns.ts';
import { incomingOf, type Incoming } from './incoming.ts';
import { assertNoQuery } from './query.ts';
import { ReceivedBytes } from './received-bytes.ts';

/** The maximum number of bodies that are decompressed at a time. Others wait in compressed form. Clients take turns. */
const maxInflating = 4;
const inflating = new Semaphore(maxInflating);

/** Reads a JSON body by a schema, and rejects a query. Checks type, size, JSON, query and fields, in this order. */
export async function readBody<Schema extends z.ZodType>(event: H3Event, schema: Schema): Promise<z.output<Schema>> {
  const body = parseJson(jsonText(await readJsonBytes(incomingOf(event))));
  if (!isRecord(body)) throw validationFailed([{ path: '', detail: 'expected a JSON object' }]);
  assertNoQuery(event);
  return validate(schema, body);
}

/** Reads the body of a call without parameters: no body or `{}`, of any content type. */
export async function readNoBody(event: H3Event): Promise<void> {
  await readOptionalBody(event, noFields);
}

/** Reads an optional body, of any content type. No body counts as `{}`. */
export async function readOptionalBody<Schema extends z.ZodType>(
  event: H3Event,
  schema: Schema,
): Promise<z.output<Schema>> {
  const bytes = await readBytes(incomingOf(event), limits.jsonBodyBytes);
  const body = bytes.length === 0 ? {} : parseJson(jsonText(bytes));
  if (!isRecord(body)) throw validationFailed([{ path: '', detail: 'expected no body, or a JSON object' }]);
  assertNoQuery(event);
  return validate(schema, body);
}

const noFields = z.strictObject({});

/**
 * Reads the bytes of a JSON body without parsing them. Rejects with `unsupported_media_type` for another content type,
 * then as `receiveBody` does.
 */
export async function readJsonBytes(request: Incoming, limitBytes: number = limits.jsonBodyBytes): Promise<Buffer> {
  assertContentType(request, 'application/json');
  return readBytes(request, limitBytes);
}

/** Throws `unsupported_media_type` unless the body has this type. Parameters such as a charset are ignored. */
export function assertContentType(request: Incoming, type: string): void {
  const given = request.header('content-type');
  if (given !== type && given?.split(';')[0]?.trim().toLowerCase() !== type)
    throw new ProblemError('unsupported_media_type', `Send the body with Content-Type: ${type}.`);
}

/**
 * Returns the decoded body as a stream of bytes. The caller must add an error listener synchronously: a stream that
 * fails without a listener ends the process. Checks that can fail early therefore run first: throws
 * `unsupported_media_type` for an unknown encoding, then `payload_too_large` if the declared length is over the limit.
 */
export function bodyStream(request: Incoming, limitBytes: number): Readable {
  const isGzipped = readEncoding(request) === 'gzip';
  assertLength(request, limitBytes);
  const body = request.body();
  if (!isGzipped) return body;
  const unzipped = createGunzip();
  body.on('error', (error) => unzipped.destroy(error));
  unzipped.on('close', () => {
    body.unpipe(unzipped);
    discardRest(body);
  });
  return body.pipe(unzipped);
}

/** Throws `unsupported_media_type` for an unknown encoding. */
function readEncoding(request: Incoming): 'identity' | 'gzip' {
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === 'gzip') return encoding;
  throw new ProblemError('unsupported_media_type', 'Send the body uncompressed or with Content-Encoding: gzip.');
}

function assertLength(request: Incoming, limitBytes: number): void {
  if (declaredLength(request) > limitBytes) throw payloadTooLarge(limitBytes);
}

/** Returns the length that a request declares, or 0. */
function declaredLength(request: Incoming): number {
  return Number(request.header('content-length') ?? 0);
}

/**
 * Stops reading. The rest of a body from a socket is received and dropped, so that the client can read the response.
 * Any other stream is destroyed.
 */
export function discardRest(stream: Readable): void {
  if (stream instanceof IncomingMessage) stream.resume();
  else stream.destroy();
}

export function payloadTooLarge(limitBytes: number): ProblemError {
  return new ProblemError('payload_too_large', `The body is larger than ${limitBytes} bytes.`);
}

async function readBytes(request: Incoming, limitBytes: number): Promise<Buffer> {
  const { bytes, release } = await receiveBody(request, limitBytes);
  release();
  return bytes;
}

/** A body in memory. Call `release` when it is no longer used: until then it counts towards the memory of bodies. */
export interface ReceivedBody {
  bytes: Buffer;
  release: () => void;
}

/** The checks see what has been received of a body so far. They throw to reject it. */
export interface ReceiveOptions {
  /** Called once, when an uncompressed body has more than `largeBodyBytes`. */
  onLarge?: (chunks: readonly Buffer[]) => void;
  /** Called while a compressed body is decompressed. */
  onInflated?: (chunks: readonly Buffer[], size: number, sentBytes: number) => void;
  /** Returns the client for the turns of decompression. By default, the address of the socket is the client. */
  client?: () => string;
}

/**
 * Receives a body, then decompresses it: a client that sends slowly must not hold a decompressor. Rejects with
 * `unsupported_media_type`, `payload_too_large`, `bad_request` or, if too many bodies are in memory, `overloaded`.
 */
export async function receiveBody(
  request: Incoming,
  limitBytes: number,
  { onLarge, onInflated, client = () => request.socketAddress() }: ReceiveOptions = {},
): Promise<ReceivedBody> {
  const isGzipped = readEncoding(request) === 'gzip';
  assertLength(request, limitBytes);
  const sent = await collect(request.body(), limitBytes, {
    declaredBytes: declaredLength(request),
    ...(!isGzipped && onLarge && { onLarge }),
  });
  if (!isGzipped) return sent;
  try {
    return await inflating.run(() => {
      const unzipped = createGunzip();
      unzipped.end(sent.bytes);
      return collect(unzipped, limitBytes, {
        onData: (chunks, size) => onInflated?.(chunks, size, sent.bytes.length),
      });
    }, client());
  } finally {
    sent.release();
  }
}

interface CollectOptions extends Pick<ReceiveOptions, 'onLarge'> {
  /** The length of the body, if it is known. */
  declaredBytes?: number;
  onData?: (chunks: readonly Buffer[], size: number) => void;
}

/** Collects by events. To leave an iteration early would destroy the socket, and the response with it. */
function collect(
  stream: Readable,
  limitBytes: number,
  { declaredBytes = 0, onData, onLarge }: CollectOptions,
): Promise<ReceivedBody> {
  return new Promise((resolve, reject) => {
    const received = new ReceivedBytes(declaredBytes);
    let turn: BodyTurn | null = null;
    let isOver = false;
    const stop = (error: unknown): void => {
      isOver = true;
      received.clear();
      held.release();
      // The rest is still received. A large body keeps taking turns.
      if (turn === null) stream.off('data', receive);
      discardRest(stream);
      reject(error as Error);
    };
    const held = bodyBudget.hold(stop);
    const receive = (chunk: Buffer): void => {
      turn?.receive();
      if (isOver) return;
      received.push(chunk);
      if (received.size > limitBytes) return stop(payloadTooLarge(limitBytes));
      try {
        onData?.(received.chunks, received.size);
        if (received.isLarge && turn === null) {
          const joined = (turn = bodyTurns.join(stream));
          stream.on('close', () => joined.end());
          onLarge?.(received.chunks);
        }
      } catch (error) {
        return stop(error);
      }
      held.add(chunk.length);
    };
    stream.on('data', receive);
    stream.on('end', () => {
      turn?.end();
      if (isOver) return;
      held.complete();
      resolve({ bytes: received.join(), release: () => held.release() });
    });
    stream.on('error', (cause) => {
      turn?.end();
      held.release();
      reject(new ProblemError('bad_request', 'The body could not be read to its end.', { cause }));
    });
  });
}
