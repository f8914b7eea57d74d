import type { Busboy, BusboyInstance } from '@fastify/busboy';
import type { H3Event } from 'h3';
import { ProblemError } from '../problem.ts';
import { unknownField, validationFailed } from '../validation.ts';
import { abandon, assertContentType, bodyStream, payloadTooLarge } from './body.ts';
import { incomingOf } from './incoming.ts';
import { readNoQuery } from './query.ts';

/** What a form brought: one file, and text fields. */
export interface UploadedForm {
  fileName: string | null;
  bytes: Buffer;
  fields: Map<string, string>;
}

export interface FormRules {
  /** Name of the part that holds the file. */
  file: string;
  fileBytes: number;
  /** Names of the text parts that are known; others are refused. */
  fields: readonly string[];
}

/** Bytes that the parts take beside the file. */
const overheadBytes = 64 * 1024;
const fieldBytes = 8 * 1024;

/** Reads a multipart/form-data body with one file. Throws 415, 413, 400 `malformed_multipart` or 422, in this order. */
export async function readForm(event: H3Event, rules: FormRules): Promise<UploadedForm> {
  const request = incomingOf(event);
  assertContentType(request, 'multipart/form-data');
  const { Busboy: Parser } = await import('@fastify/busboy');
  return new Promise((resolve, reject) => {
    const body = bodyStream(request, rules.fileBytes + overheadBytes);
    body.on('error', reject);
    let parser: BusboyInstance;
    try {
      parser = createParser(Parser, request.header('content-type') ?? '', rules.fileBytes);
    } catch (error) {
      abandon(body);
      reject(error as Error);
      return;
    }
    const form = new FormParts(rules);
    const stop = (error: unknown): void => {
      body.unpipe(parser);
      abandon(body);
      reject(error instanceof ProblemError ? error : malformed(error));
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
    let received = 0;
    body.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > rules.fileBytes + overheadBytes) stop(payloadTooLarge(rules.fileBytes));
    });
    body.on('error', stop);
    body.on('aborted', () => stop(malformed('the client went away')));
    parser.on('error', stop);
    parser.on('partsLimit', () => stop(malformed('too many parts')));
    parser.on('filesLimit', () => stop(malformed('too many files')));
    parser.on('fieldsLimit', () => stop(malformed('too many fields')));
    parser.on('file', (name, stream, fileName) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () => stop(payloadTooLarge(rules.fileBytes)));
      stream.on('error', stop);
      stream.on(
        'end',
        guarded(() => form.addFile(name, fileName, chunks)),
      );
    });
    parser.on(
      'field',
      guarded((name, value, _nameCut, valueCut) => form.addField(name, value, valueCut)),
    );
    parser.on(
      'finish',
      guarded(() => {
        readNoQuery(event);
        resolve(form.finished());
      }),
    );
    body.pipe(parser);
  });
}

/** The parts of a form as they come in. Names are those of the client: there may be none. */
class FormParts {
  readonly #rules: FormRules;
  readonly #fields = new Map<string, string>();
  #file: { fileName: string | null; bytes: Buffer } | null = null;

  constructor(rules: FormRules) {
    this.#rules = rules;
  }

  addFile(name: string | undefined, fileName: string | undefined, chunks: Buffer[]): void {
    if (name !== this.#rules.file || this.#file) throw unexpectedPart(name);
    this.#file = { fileName: fileName || null, bytes: Buffer.concat(chunks) };
  }

  addField(name: string | undefined, value: string, isCut: boolean): void {
    if (name === this.#rules.file) throw validationFailed([{ path: name, detail: 'expected a file, with a filename' }]);
    if (name === undefined || !this.#rules.fields.includes(name) || this.#fields.has(name)) throw unexpectedPart(name);
    if (isCut) throw validationFailed([{ path: name, detail: 'too long' }]);
    this.#fields.set(name, value);
  }

  finished(): UploadedForm {
    if (!this.#file)
      throw validationFailed([{ path: this.#rules.file, detail: 'expected one file part of this name' }]);
    return { ...this.#file, fields: this.#fields };
  }
}

function createParser(Parser: typeof Busboy, contentType: string, fileBytes: number): BusboyInstance {
  try {
    return new Parser({
      headers: { 'content-type': contentType },
      limits: { fileSize: fileBytes, files: 2, fields: 16, parts: 18, fieldSize: fieldBytes, headerPairs: 32 },
    });
  } catch (error) {
    throw malformed(error);
  }
}

function malformed(cause: unknown): ProblemError {
  return new ProblemError('malformed_multipart', 'The multipart body can not be read.', { cause });
}

function unexpectedPart(name: string | undefined): ProblemError {
  return validationFailed([{ path: (name ?? '').slice(0, 100), detail: unknownField }]);
}
