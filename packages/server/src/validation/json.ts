import { isAscii } from 'node:buffer';
import { ProblemError } from '../problem.ts';

/** A parsed JSON body with its text and bytes. */
export interface SentJson {
  readonly value: unknown;
  readonly text: string;
  /** The text itself if the body was not sent as JSON. */
  readonly bytes: Buffer | string;
  /** True if it is known to have few values. */
  readonly isSimple?: boolean;
}

/**
 * Decodes the JSON of a client. Invalid UTF-8 becomes U+FFFD, and so do lone surrogates: UTF-8 cannot encode them, but
 * a JSON escape can.
 */
export function jsonText(bytes: Buffer): string {
  // Most reports are plain ASCII, which needs no decoding.
  const text = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');
  return text.includes('\\u') && surrogateEscape.test(text) ? replaceLoneSurrogates(text) : text;
}

/** Parses the JSON of a client. Throws `malformed_json` if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the request.
    throw new ProblemError(
      'malformed_json',
      text === '' ? 'The body is empty. Send JSON.' : 'The body is not valid JSON.',
    );
  }
}

const surrogateEscape = /\\u[dD][89a-fA-F]/;

function replaceLoneSurrogates(json: string): string {
  return json.replace(
    /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g,
    (escape, lone: string | undefined) => (lone === undefined ? escape : '\\ufffd'),
  );
}
