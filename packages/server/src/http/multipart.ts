import type { Readable } from 'node:stream';
import { MIMEType } from 'node:util';
import type { Busboy, BusboyInstance } from '@fastify/busboy';
import type { H3Event } from 'h3';
import { truncate } from '../text/truncate.ts';
import { ProblemError } from '../problem.ts';
import { unknownField, validationFailed } from '../validation/validation.ts';
import { BodyPace } from './body-pace.ts';
import { discardRest, assertContentType, bodyStream, payloadTooLarge } from './body.ts';
import { incomingOf } from './incoming.ts';
import { assertNoQuery } from './query.ts';

/** A parsed form: the result of one file, and text fields. */
export interface UploadedForm<Result> {
  fileName: string | null;
  file: Result;
  /** Trimmed values. Blank ones are omitted. */
  fields: Map<string, string>;
}

export interface FormRules<Result> {
  /** The name of the file part. */
  file: string;
  fileBytes: number;
  /** The known text parts with their maximum number of characters. Other parts are rejected. */
  fields: Readonly<Record<string, number>>;
  /** Processes the file while it is received. */
  process(pieces: AsyncIterable<Uint8Array>): Promise<Result>;
  /** Deletes the result of `process`, because the form was rejected. */
  discard(result: Result): Promise<void>;
  /** Returns whether there is no room for another upload. If so, this upload is rejected when it is slow. */
  isBudgetFull(): boolean;
  /** If it aborts while the form is being read, the form is rejected with its reason. */
  signal?: AbortSignal;
}

/** Bytes allowed for everything but the file. */
const overheadBytes = 64 * 1024;
const fieldBytes = 8 * 1024;
const maxFormParts = 18;
/** Maximum header bytes of a part. */
const partHeaderBytes = 8 * 1024;
/** Milliseconds between checks for slow uploads. */
const paceMs = 1_000;

/** Throws errors that are known before the body is read: 415, then 413. */
export function assertForm(event: H3Event, { fileBytes }: Pick<FormRules<unknown>, 'fileBytes'>): void {
  const request = incomingOf(event);
  assertContentType(request, 'multipart/form-data');
  if (Number(request.header('content-length') ?? 0) > fileBytes + overheadBytes) throw payloadTooLarge(fileBytes);
}

/**
 * Reads a multipart/form-data body with one file. Rejects with 415 or 413 before the body is read, then with the first
 * problem in the body: 413, 400 `malformed_multipart`, 422 or the error of `process`. Rejects with 408, or with the
 * reason of `signal`, at any time.
 */
export async function readForm<Result>(event: H3Event, rules: FormRules<Result>): Promise<UploadedForm<Result>> {
  assertForm(event, rules);
  const request = incomingOf(event);
  const { Busboy: Parser } = await import('@fastify/busboy');
  const form = new FormParts(rules);
  const pace = new BodyPace();
  let watch: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const body = bodyStream(request, rules.fileBytes + overheadBytes);
      body.on('error', (error) => reject(malformed(error)));
      // A body that was destroyed before it is read emits no more events.
      if (body.destroyed) throw malformed('the client went away');
      let parser: BusboyInstance;
      let delimiter: Buffer;
      try {
        const boundary = boundaryOf(request.header('content-type') ?? '');
        parser = createParser(Parser, boundary, rules.fileBytes);
        // Every part ends with the boundary on its own line.
        delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
      } catch (error) {
        discardRest(body);
        throw error;
      }
      let isStopped = false;
      const stop = (error: unknown): void => {
        reject(error);
        isStopped = true;
        form.stop();
        discardRest(body);
      };
      /** Catches errors of a listener: an uncaught one would end the process. */
      const guarded =
        <Args extends unknown[]>(listener: (...args: Args) => void) =>
        (...args: Args): void => {
          try {
            listener(...args);
          } catch (error) {
            stop(error);
          }
        };
      const { signal } = rules;
      if (signal?.aborted) return stop(signal.reason);
      signal?.addEventListener('abort', () => stop(signal.reason), { once: true });
      pace.wait();
      watch = setInterval(() => {
        if (pace.isSlow && rules.isBudgetFull()) stop(tooSlow());
      }, paceMs).unref();
      let ends = 0;
      body.on('data', (chunk: Buffer) => {
        if (isStopped) return;
        pace.receive(chunk.length);
        ends += count(chunk, delimiter);
        if (pace.bytes > rules.fileBytes + overheadBytes) stop(payloadTooLarge(rules.fileBytes));
        // Beyond its own limit, the parser still opens a stream for each part of the chunk. So the delimiters are
        // counted first.
        else if (ends > maxFormParts) stop(malformed('too many parts'));
        else if (!parser.write(chunk)) {
          pace.pause();
          body.pause();
        }
      });
      parser.on('drain', () => {
        pace.wait();
        body.resume();
      });
      body.on('end', () => {
        pace.pause();
        clearInterval(watch);
        if (!isStopped) parser.end();
      });
      body.on('error', (error) => stop(malformed(error)));
      body.on('aborted', () => stop(malformed('the client went away')));
      parser.on('error', (error) => stop(malformed(error)));
      parser.on('partsLimit', () => stop(malformed('too many parts')));
      parser.on('filesLimit', () => stop(malformed('too many files')));
      parser.on('fieldsLimit', () => stop(malformed('too many fields')));
      parser.on('file', (name, stream, fileName) => {
        stream.on('limit', () => stop(payloadTooLarge(rules.fileBytes)));
        // The consumer of the pieces gets the error.
        stream.on('error', () => undefined);
        guarded(() => form.addFile(name, stream, fileName, stop))();
      });
      parser.on(
        'field',
        guarded((name, value, _isNameTruncated, isValueTruncated) => form.addField(name, value, isValueTruncated)),
      );
      parser.on(
        'finish',
        guarded(() => {
          assertNoQuery(event);
          form.assertFile();
          resolve();
        }),
      );
    });
    return await form.finished();
  } catch (error) {
    await form.discard();
    throw error;
  } finally {
    clearInterval(watch);
  }
}

/** Collects the parts of a form. The client chooses the names, and may omit them. */
class FormParts<Result> {
  readonly #rules: FormRules<Result>;
  readonly #fields = new Map<string, string>();
  #file: { fileName: string | null; stream: Readable; result: Promise<Result> } | null = null;

  constructor(rules: FormRules<Result>) {
    this.#rules = rules;
  }

  addFile(
    name: string | undefined,
    stream: Readable,
    fileName: string | undefined,
    onReject: (error: unknown) => void,
  ): void {
    if (name !== this.#rules.file || this.#file) {
      stream.resume();
      throw unexpectedPart(name);
    }
    const result = this.#rules.process(filePieces(stream));
    this.#file = { fileName: fileName || null, stream, result };
    result.catch(onReject);
  }

  addField(name: string | undefined, value: string, isTruncated: boolean): void {
    if (name === this.#rules.file) throw validationFailed([{ path: name, detail: 'expected a file, with a filename' }]);
    if (name === undefined || !Object.hasOwn(this.#rules.fields, name) || this.#fields.has(name))
      throw unexpectedPart(name);
    const limit = this.#rules.fields[name] ?? 0;
    const text = value.trim();
    if (isTruncated || text.length > limit)
      throw validationFailed([{ path: name, detail: `expected at most ${limit} characters` }]);
    this.#fields.set(name, text);
  }

  assertFile(): void {
    if (!this.#file)
      throw validationFailed([{ path: this.#rules.file, detail: 'expected one file part of this name' }]);
  }

  async finished(): Promise<UploadedForm<Result>> {
    this.assertFile();
    const { fileName, result } = this.#file!;
    for (const [name, text] of this.#fields) if (text === '') this.#fields.delete(name);
    return { fileName, file: await result, fields: this.#fields };
  }

  /** Ends the file stream. */
  stop(): void {
    this.#file?.stream.destroy(new Error('The form was rejected.'));
  }

  async discard(): Promise<void> {
    this.stop();
    // If `process` failed, there is nothing to delete.
    const result = await this.#file?.result.catch(() => null);
    if (result) await this.#rules.discard(result);
  }
}

/** Yields the pieces of a file. A broken stream is an error of the form, not of its consumer. */
async function* filePieces(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw malformed(error);
  }
}

/** Creates a parser from validated parameters. An error here is a bug of the server, not of the request. */
function createParser(Parser: typeof Busboy, boundary: string, fileBytes: number): BusboyInstance {
  return new Parser({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    limits: {
      fileSize: fileBytes,
      files: 2,
      fields: 16,
      parts: maxFormParts,
      fieldSize: fieldBytes,
      headerPairs: 32,
      headerSize: partHeaderBytes,
    },
  });
}

/** RFC 2046 allows these characters in a boundary: at most 70, and no space at the end. */
const boundaryPattern = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/**
 * Returns the boundary of a multipart/form-data Content-Type. Throws `malformed_multipart` if it is missing or invalid.
 */
function boundaryOf(contentType: string): string {
  const boundary = new MIMEType(contentType).params.get('boundary');
  if (boundary === null || !boundaryPattern.test(boundary)) throw malformed('no boundary, or not a valid one');
  return boundary;
}

function count(bytes: Buffer, pattern: Buffer): number {
  let found = 0;
  for (
    let at = bytes.indexOf(pattern);
    at >= 0 && found <= maxFormParts;
    at = bytes.indexOf(pattern, at + pattern.length)
  )
    found++;
  return found;
}

/** Returns the error to throw: 400, or the cause itself if it is a bug in the server. */
function malformed(cause: unknown): Error {
  if (cause instanceof TypeError || cause instanceof RangeError || cause instanceof ReferenceError) return cause;
  return new ProblemError('malformed_multipart', 'The multipart body cannot be read.', { cause });
}

function unexpectedPart(name: string | undefined): ProblemError {
  return validationFailed([{ path: truncate(name ?? '', 100).toWellFormed(), detail: unknownField }]);
}

function tooSlow(): ProblemError {
  return new ProblemError('request_timeout', 'The upload was too slow while the server had no room for others.');
}
