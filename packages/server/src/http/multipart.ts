import type { Readable } from 'node:stream';
import { MIMEType } from 'node:util';
import type { Busboy, BusboyInstance } from '@fastify/busboy';
import type { H3Event } from 'h3';
import { truncate } from '../text/truncate.ts';
import { ProblemError } from '../problem.ts';
import { unknownField, validationFailed } from '../validation/validation.ts';
import { BodyPace } from './body-pace.ts';
import { abandon, assertContentType, bodyStream, payloadTooLarge } from './body.ts';
import { incomingOf } from './incoming.ts';
import { assertNoQuery } from './query.ts';

/** What a form brought: one file, or what was made of it, and text fields. */
export interface UploadedForm<Taken> {
  fileName: string | null;
  file: Taken;
  /** Trimmed; a blank one is not among them. */
  fields: Map<string, string>;
}

export interface FormRules<Taken> {
  /** Name of the part that holds the file. */
  file: string;
  fileBytes: number;
  /** Names of the text parts that are known, with how many characters they may have; others are refused. */
  fields: Readonly<Record<string, number>>;
  /** Takes the file in as it comes. */
  take(pieces: AsyncIterable<Uint8Array>): Promise<Taken>;
  /** Forgets what was taken: the form as a whole is refused. */
  forget(taken: Taken): Promise<void>;
  /** Whether others wait for the place of one of which so many bytes have come. Then it is refused if it comes slowly. */
  isInTheWay(bytes: number): boolean;
}

/** Bytes that the parts take beside the file. */
const overheadBytes = 64 * 1024;
const fieldBytes = 8 * 1024;
const mostParts = 18;
/** Of a part's header. */
const headerBytes = 8 * 1024;
/** So often it is asked whether a form comes too slowly. */
const paceMs = 1_000;

/** Throws what can be said of a form before its body is read: 415, then 413. */
export function assertForm(event: H3Event, { fileBytes }: Pick<FormRules<unknown>, 'fileBytes'>): void {
  const request = incomingOf(event);
  assertContentType(request, 'multipart/form-data');
  if (Number(request.header('content-length') ?? 0) > fileBytes + overheadBytes) throw payloadTooLarge(fileBytes);
}

/**
 * Reads a multipart/form-data body with one file. Throws 415, 413, 400 `malformed_multipart` or 422, in this order, and 408
 * at any time.
 */
export async function readForm<Taken>(event: H3Event, rules: FormRules<Taken>): Promise<UploadedForm<Taken>> {
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
      // Of a request that has gone while it waited, nothing would ever be heard.
      if (body.destroyed) throw malformed('the client went away');
      let parser: BusboyInstance;
      let delimiter: Buffer;
      try {
        const boundary = boundaryOf(request.header('content-type') ?? '');
        parser = createParser(Parser, boundary, rules.fileBytes);
        // What ends every part: the boundary on a line of its own.
        delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
      } catch (error) {
        abandon(body);
        throw error;
      }
      let isStopped = false;
      const stop = (error: unknown): void => {
        reject(error);
        isStopped = true;
        form.stop();
        abandon(body);
      };
      /** Nothing stands above a listener: what it threw would end the process. */
      const guarded =
        <Args extends unknown[]>(listener: (...args: Args) => void) =>
        (...args: Args): void => {
          try {
            listener(...args);
          } catch (error) {
            stop(error);
          }
        };
      pace.wait();
      watch = setInterval(() => {
        if (pace.isSlow && rules.isInTheWay(pace.bytes)) stop(tooSlow());
      }, paceMs).unref();
      let ends = 0;
      body.on('data', (chunk: Buffer) => {
        if (isStopped) return;
        pace.come(chunk.length);
        ends += count(chunk, delimiter);
        if (pace.bytes > rules.fileBytes + overheadBytes) stop(payloadTooLarge(rules.fileBytes));
        // The parser minds its own limit only when it is through with all parts of the chunk.
        else if (ends > mostParts) stop(malformed('too many parts'));
        else if (!parser.write(chunk)) {
          pace.rest();
          body.pause();
        }
      });
      parser.on('drain', () => {
        pace.wait();
        body.resume();
      });
      body.on('end', () => {
        pace.rest();
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
        // Whoever takes the pieces is told.
        stream.on('error', () => undefined);
        guarded(() => form.takeFile(name, stream, fileName, stop))();
      });
      parser.on(
        'field',
        guarded((name, value, _nameCut, valueCut) => form.addField(name, value, valueCut)),
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
    await form.forget();
    throw error;
  } finally {
    clearInterval(watch);
  }
}

/** The parts of a form as they come in. Names are those of the client: there may be none. */
class FormParts<Taken> {
  readonly #rules: FormRules<Taken>;
  readonly #fields = new Map<string, string>();
  #file: { fileName: string | null; stream: Readable; taken: Promise<Taken> } | null = null;

  constructor(rules: FormRules<Taken>) {
    this.#rules = rules;
  }

  takeFile(
    name: string | undefined,
    stream: Readable,
    fileName: string | undefined,
    onRefusal: (error: unknown) => void,
  ): void {
    if (name !== this.#rules.file || this.#file) {
      stream.resume();
      throw unexpectedPart(name);
    }
    const taken = this.#rules.take(piecesOf(stream));
    this.#file = { fileName: fileName || null, stream, taken };
    taken.catch(onRefusal);
  }

  addField(name: string | undefined, value: string, isCut: boolean): void {
    if (name === this.#rules.file) throw validationFailed([{ path: name, detail: 'expected a file, with a filename' }]);
    if (name === undefined || !Object.hasOwn(this.#rules.fields, name) || this.#fields.has(name))
      throw unexpectedPart(name);
    const limit = this.#rules.fields[name] ?? 0;
    const text = value.trim();
    if (isCut || text.length > limit)
      throw validationFailed([{ path: name, detail: `expected at most ${limit} characters` }]);
    this.#fields.set(name, text);
  }

  assertFile(): void {
    if (!this.#file)
      throw validationFailed([{ path: this.#rules.file, detail: 'expected one file part of this name' }]);
  }

  async finished(): Promise<UploadedForm<Taken>> {
    this.assertFile();
    const { fileName, taken } = this.#file!;
    for (const [name, text] of this.#fields) if (text === '') this.#fields.delete(name);
    return { fileName, file: await taken, fields: this.#fields };
  }

  /** No more of the file comes. */
  stop(): void {
    this.#file?.stream.destroy(new Error('The form was refused.'));
  }

  async forget(): Promise<void> {
    this.stop();
    // What was never taken needs no forgetting.
    const taken = await this.#file?.taken.catch(() => null);
    if (taken) await this.#rules.forget(taken);
  }
}

/** What a file's stream brings. That it breaks off is the fault of the form, not of who takes it. */
async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw malformed(error);
  }
}

/** It is given only what was checked before: what it throws is a defect, and no fault of the request. */
function createParser(Parser: typeof Busboy, boundary: string, fileBytes: number): BusboyInstance {
  return new Parser({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    limits: {
      fileSize: fileBytes,
      files: 2,
      fields: 16,
      parts: mostParts,
      fieldSize: fieldBytes,
      headerPairs: 32,
      headerSize: headerBytes,
    },
  });
}

/** What RFC 2046 allows in a boundary, which is 70 characters at most and does not end in a space. */
const boundaryForm = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** The boundary that a Content-Type of multipart/form-data names. Throws `malformed_multipart`. */
function boundaryOf(contentType: string): string {
  const boundary = new MIMEType(contentType).params.get('boundary');
  if (boundary === null || !boundaryForm.test(boundary)) throw malformed('no boundary, or not a valid one');
  return boundary;
}

function count(bytes: Buffer, wanted: Buffer): number {
  let found = 0;
  for (let at = bytes.indexOf(wanted); at >= 0 && found <= mostParts; at = bytes.indexOf(wanted, at + wanted.length))
    found++;
  return found;
}

/** Returns what to answer: 400, unless the cause is an error of a program, which is a defect of ours. */
function malformed(cause: unknown): Error {
  if (cause instanceof TypeError || cause instanceof RangeError || cause instanceof ReferenceError) return cause;
  return new ProblemError('malformed_multipart', 'The multipart body can not be read.', { cause });
}

function unexpectedPart(name: string | undefined): ProblemError {
  return validationFailed([{ path: truncate(name ?? '', 100).toWellFormed(), detail: unknownField }]);
}

function tooSlow(): ProblemError {
  return new ProblemError('request_timeout', 'The upload came too slowly, and others waited for its place.');
}
