import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { H3Event } from 'h3';
import { ProblemError } from '../problem.ts';
import { validationFailed } from '../validation.ts';
import { assertContentLength, assertContentType, bodyStream, payloadTooLarge } from './body.ts';

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
  assertContentType(event, 'multipart/form-data');
  const body = bodyStream(event);
  assertContentLength(event, rules.fileBytes + overheadBytes);
  const parser = createParser(event.req.headers.get('content-type') ?? '', rules.fileBytes);
  return new Promise((resolve, reject) => {
    const form: { fileName: string | null; bytes: Buffer | null; fields: Map<string, string> } = {
      fileName: null,
      bytes: null,
      fields: new Map(),
    };
    let received = 0;
    const stop = (error: unknown): void => {
      body.unpipe(parser);
      reject(error);
    };
    body.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > rules.fileBytes + overheadBytes) stop(payloadTooLarge(rules.fileBytes));
    });
    body.on('error', (cause) => stop(malformed(cause)));
    parser.on('error', (cause) => stop(malformed(cause)));
    parser.on('partsLimit', () => stop(malformed('too many parts')));
    parser.on('file', (name, stream, fileName) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () => stop(payloadTooLarge(rules.fileBytes)));
      stream.on('error', (cause) => stop(malformed(cause)));
      stream.on('end', () => {
        if (name !== rules.file || form.bytes) return stop(unexpectedPart(name));
        form.fileName = fileName || null;
        form.bytes = Buffer.concat(chunks);
      });
    });
    parser.on('field', (name, value, _nameCut, valueCut) => {
      if (!rules.fields.includes(name) || form.fields.has(name)) return stop(unexpectedPart(name, rules.file));
      if (valueCut) return stop(validationFailed([{ path: name, detail: 'too long' }]));
      form.fields.set(name, value);
    });
    parser.on('finish', () => {
      const { bytes } = form;
      if (bytes) resolve({ ...form, bytes });
      else reject(validationFailed([{ path: rules.file, detail: 'expected one file part of this name' }]));
    });
    body.pipe(parser);
  });
}

function createParser(contentType: string, fileBytes: number): BusboyInstance {
  try {
    return new Busboy({
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

function unexpectedPart(name: string, file?: string): ProblemError {
  const detail = name === file ? 'expected a file, with a filename' : 'unexpected part';
  return validationFailed([{ path: name.slice(0, 100), detail }]);
}
