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

/** A JSON body as the schema says it is, without a query. Checks type, size, JSON and fields, in this order. */
export async function readBody<Schema extends z.ZodType>(event: H3Event, schema: Schema): Promise<z.output<Schema>> {
  const { value: body } = await readJson(incomingOf(event), limits.jsonBodyBytes);
  if (!isRecord(body)) throw validationFailed([{ path: '', detail: 'expected a JSON object' }]);
  assertNoQuery(event);
  return validate(schema, body);
}

/** For calls that need no body: none or `{}`, with or without a type. */
export async function readNoBody(event: H3Event): Promise<void> {
  await readOptionalBody(event, noFields);
}

/** For calls that need no body but may have one; none is as good as `{}`. The type does not matter. */
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

/** A JSON body. Throws 415, 413 or 400 `malformed_json`, in this order. */
export async function readJson(request: Incoming, limitBytes: number): Promise<SentJson> {
  const bytes = await readJsonBytes(request, limitBytes);
  const text = jsonText(bytes);
  return { value: parseJson(text), text, bytes };
}

/** The bytes of what claims to be JSON, for whoever has to see them before they are read. Throws 415 or 413, in this order. */
export async function readJsonBytes(request: Incoming, limitBytes: number = limits.jsonBodyBytes): Promise<Buffer> {
  assertContentType(request, 'application/json');
  return readBytes(request, limitBytes);
}

/** Throws `unsupported_media_type` unless the body is of this type; parameters such as a charset do not count. */
export function assertContentType(request: Incoming, type: string): void {
  const given = request.header('content-type');
  if (given !== type && given?.split(';')[0]?.trim().toLowerCase() !== type)
    throw new ProblemError('unsupported_media_type', `Send the body with Content-Type: ${type}.`);
}

/**
 * The body as a stream of bytes, decoded. Whoever opens it has to listen to its errors at once: a stream that fails with
 * nobody listening ends the process. So what can be refused is refused before: throws `unsupported_media_type` for an
 * encoding that is not known here, then `payload_too_large` if the request says that its body is over the limit.
 */
export function bodyStream(request: Incoming, limitBytes: number): Readable {
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new ProblemError('unsupported_media_type', 'Send the body as it is or with Content-Encoding: gzip.');
  }
  if (Number(request.header('content-length') ?? 0) > limitBytes) throw payloadTooLarge(limitBytes);
  const body = request.body();
  if (encoding === 'identity') return body;
  const unzipped = createGunzip();
  body.on('error', (error) => unzipped.destroy(error));
  unzipped.on('close', () => {
    body.unpipe(unzipped);
    abandon(body);
  });
  return body.pipe(unzipped);
}

/** Stops reading. What a client still sends is read and forgotten, so that it can read the answer and go on. */
export function abandon(stream: Readable): void {
  if (stream instanceof IncomingMessage) stream.resume();
  else stream.destroy();
}

export function payloadTooLarge(limitBytes: number): ProblemError {
  return new ProblemError('payload_too_large', `The body is larger than ${limitBytes} bytes.`);
}

function readBytes(request: Incoming, limitBytes: number): Promise<Buffer> {
  return collect(bodyStream(request, limitBytes), limitBytes);
}

/** Not by iteration: leaving a loop early would destroy the socket, and the answer could not be read. */
function collect(stream: Readable, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limitBytes) return;
      stream.off('data', onData);
      abandon(stream);
      reject(payloadTooLarge(limitBytes));
    };
    stream.on('data', onData);
    stream.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
    stream.on('error', (cause) =>
      reject(new ProblemError('bad_request', 'The body could not be read to its end.', { cause })),
    );
  });
}
