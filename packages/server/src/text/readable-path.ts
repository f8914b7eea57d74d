/** Spaces and characters beyond ASCII, as URLs encode them. */
const encoded = /(?:%20|%[89a-f][0-9a-f])+/gi;
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Returns a path as people write it: `src/größe.ts` for `src/gr%C3%B6%C3%9Fe.ts`. For texts that are shown or searched.
 * Fingerprints contain the encoded path.
 */
export function readablePath(path: string): string {
  return path.includes('%') ? path.replace(encoded, decodeRun) : path;
}

function decodeRun(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    return invisible.test(decoded) ? text : decoded;
  } catch {
    // These bytes are not UTF-8.
    return text;
  }
}
