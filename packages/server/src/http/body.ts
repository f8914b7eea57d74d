import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { limits } from '@service/protocol';
import type { H3Event } from 'h3';
import * as z from 'zod';
import { jsonText, parseJson, type SentJson } from '../validation/json.ts';
import { ProblemError } from '../problem.ts';
import { isRecord, validate, validationFailed } from '../validation/validation.ts';
import { incomingOf, type Incoming } from './incoming.ts';
import { assertNoQuery } from './query.ts';

/** Reads a JSON body by a schema, and rejects a query. Checks type, size, JSON and fields, in this order. */
export async function readBody<Schema extends z.ZodType>(event: H3Event, schema: Schema): Promise<z.output<Schema>> {
  const { value: body } = await readJson(incomingOf(event), limits.jsonBodyBytes);
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

/** Reads a JSON body. Throws 415, 413 or 400 `malformed_json`, in this order. */
export async function readJson(request: Incoming, limitBytes: number): Promise<SentJson> {
  const bytes = await readJsonBytes(request, limitBytes);
  const text = jsonText(bytes);
  return { value: parseJson(text), text, bytes };
}

/** Reads the bytes of a JSON body without parsing them. Throws 415 or 413, in this order. */
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
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new ProblemError('unsupported_media_type', 'Send the body uncompressed or with Content-Encoding: gzip.');
  }
  if (Number(request.header('content-length') ?? 0) > limitBytes) throw payloadTooLarge(limitBytes);
  const body = request.body();
  if (encoding === 'identity') return body;
  const unzipped = createGunzip();
  body.on('error', (error) => unzipped.destroy(error));
  unzipped.on('close', () => {
    body.unpipe(unzipped);
    discardRest(body);
  });
  return body.pipe(unzipped);
}

/** Stops reading. The rest of the body is received and dropped, so that the client can read the response. */
export function discardRest(stream: Readable): void {
  if (stream instanceof IncomingMessage) stream.resume();
  else stream.destroy();
}

export function payloadTooLarge(limitBytes: number): ProblemError {
  return new ProblemError('payload_too_large', `The body is larger than ${limitBytes} bytes.`);
}

function readBytes(request: Incoming, limitBytes: number): Promise<Buffer> {
  return collect(bodyStream(request, limitBytes), limitBytes);
}

/** Collects by events, not by iteration: leaving a loop early would destroy the socket, and the response with it. */
function collect(stream: Readable, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limitBytes) return;
      stream.off('data', onData);
      discardRest(stream);
      reject(payloadTooLarge(limitBytes));
    };
    stream.on('data', onData);
    stream.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
    stream.on('error', (cause) =>
      reject(new ProblemError('bad_request', 'The body could not be read to its end.', { cause })),
    );
  });
}
