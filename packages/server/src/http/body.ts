import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { limits } from '@service/protocol';
import type { H3Event } from 'h3';
import type { z } from 'zod';
import { ProblemError } from '../problem.ts';
import { isRecord, unknownField, validate, validationFailed } from '../validation.ts';
import { readNoQuery } from './query.ts';

/** A JSON body as the schema says it is, without a query. Checks type, size, JSON and fields, in this order. */
export async function readBody<Schema extends z.ZodType>(event: H3Event, schema: Schema): Promise<z.output<Schema>> {
  const body = await readJson(event, limits.jsonBodyBytes);
  if (!isRecord(body)) throw validationFailed([{ path: '', detail: 'expected a JSON object' }]);
  readNoQuery(event);
  return validate(schema, body);
}

/** For calls that need no body: none or `{}`, with or without a type. */
export async function readNoBody(event: H3Event): Promise<void> {
  const bytes = await readBytes(event, limits.jsonBodyBytes);
  readNoQuery(event);
  if (bytes.length === 0) return;
  const body = parseJson(bytes);
  if (!isRecord(body)) throw validationFailed([{ path: '', detail: 'expected no body, or {}' }]);
  const [field] = Object.keys(body);
  if (field !== undefined) throw validationFailed([{ path: field.slice(0, 100), detail: unknownField }]);
}

export async function readJson(event: H3Event, limitBytes: number): Promise<unknown> {
  assertContentType(event, 'application/json');
  return parseJson(await readBytes(event, limitBytes));
}

/** Throws `unsupported_media_type` unless the body is of this type; parameters such as a charset do not count. */
export function assertContentType(event: H3Event, type: string): void {
  const given = event.req.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (given !== type) throw new ProblemError('unsupported_media_type', `Send the body with Content-Type: ${type}.`);
}

/** The body as a stream of bytes, decoded. Throws `unsupported_media_type` for an encoding that is not known here. */
export function bodyStream(event: H3Event): Readable {
  const encoding = event.req.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new ProblemError('unsupported_media_type', 'Send the body as it is or with Content-Encoding: gzip.');
  }
  const body = rawBody(event);
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

/** Throws `payload_too_large` if the request says that its body is over the limit. */
export function assertContentLength(event: H3Event, limitBytes: number): void {
  if (Number(event.req.headers.get('content-length') ?? 0) > limitBytes) throw payloadTooLarge(limitBytes);
}

export function payloadTooLarge(limitBytes: number): ProblemError {
  return new ProblemError('payload_too_large', `The body is larger than ${limitBytes} bytes.`);
}

async function readBytes(event: H3Event, limitBytes: number): Promise<Buffer> {
  const stream = bodyStream(event);
  assertContentLength(event, limitBytes);
  return collect(stream, limitBytes);
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

/** Node's own stream where there is one: a web stream around it costs more than the rest of the reading. */
function rawBody(event: H3Event): Readable {
  const node = event.runtime?.node?.req as IncomingMessage | undefined;
  if (node) return node;
  const { body } = event.req;
  return body ? Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) : Readable.from([]);
}

function parseJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(loneSurrogateEscape.test(text) ? replaceLoneSurrogates(text) : text);
  } catch {
    // The parser's own words quote the request.
    throw new ProblemError(
      'malformed_json',
      bytes.length === 0 ? 'The body is empty. Send JSON.' : 'The body is not valid JSON.',
    );
  }
}

const loneSurrogateEscape = /\\u[dD][89a-fA-F]/;

/** UTF-8 can't hold half a surrogate pair, but an escape can; it becomes U+FFFD before anything is made of it. */
function replaceLoneSurrogates(json: string): string {
  return json.replace(
    /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g,
    (escape, lone: string | undefined) => (lone === undefined ? escape : '\\ufffd'),
  );
}
