import { isAscii } from 'node:buffer';
import { ProblemError } from '../problem.ts';

/** A body of JSON: what it says, and how it came. */
export interface SentJson {
  value: unknown;
  text: string;
  bytes: Buffer;
}

/**
 * The text of a client's JSON. What is no UTF-8, and half a surrogate pair, which UTF-8 can't hold but an escape can,
 * becomes U+FFFD before anything is made of it.
 */
export function jsonText(bytes: Buffer): string {
  // Most reports are plain ASCII, which need not be decoded.
  const text = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');
  return text.includes('\\u') && surrogateEscape.test(text) ? replaceLoneSurrogates(text) : text;
}

/** Throws `malformed_json`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the request.
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
