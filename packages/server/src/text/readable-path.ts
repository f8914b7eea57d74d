import { decodeEscapes } from './decode-escapes.ts';

/** Spaces and characters beyond ASCII, as URLs encode them. */
const encoded = /(?:%20|%[89a-f][0-9a-f])+/gi;
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Returns a path as people write it: `src/größe.ts` for `src/gr%C3%B6%C3%9Fe.ts`. For texts that are shown or searched.
 * Fingerprints contain the encoded path.
 */
export function readablePath(path: string): string {
  return decodeEscapes(path, encoded, (decoded) => invisible.test(decoded));
}
