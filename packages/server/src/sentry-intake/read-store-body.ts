import { inflateSync } from 'node:zlib';
import { limits } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import { partTooLarge } from './part-too-large.ts';

/** The first characters of a zlib stream in Base64. JSON never begins with them. */
const encodedStart = /^e[AFJN]/;

/**
 * Returns the JSON of an event. Older SDKs, such as Raven for Ruby, send it compressed and as Base64, without any
 * header that says so. Throws `bad_request` if it can't be decompressed, and `payload_too_large` if it is too large
 * then.
 */
export function readStoreBody(body: Buffer): Buffer {
  if (!encodedStart.test(body.toString('latin1', 0, 2))) return body;
  try {
    return inflateSync(Buffer.from(body.toString('latin1'), 'base64'), { maxOutputLength: limits.reportBodyBytes });
  } catch (cause) {
    if (Object(cause).code === 'ERR_BUFFER_TOO_LARGE') throw partTooLarge(limits.reportBodyBytes);
    throw new ProblemError('bad_request', 'The event could not be decompressed.', { cause });
  }
}
