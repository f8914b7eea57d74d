import { byteLength } from './byte-length.ts';
import { secret } from './scrub.ts';

/**
 * Returns the first `maxChars` UTF-16 units of a text, followed by `…` if it was longer. Builds a new string, because a
 * slice would keep the whole text alive.
 */
export function truncate(text: string, maxChars: number): string {
  return text.length > maxChars ? [...text.slice(0, maxChars), '…'].join('') : text;
}

/**
 * Returns a copy of any value that can be written as JSON, without secrets. The copy has about `bytesLeft` bytes of JSON
 * and ten levels at most; the rest is dropped. Values that cannot be read become `…`. Never throws.
 */
export function normalize(value: unknown, bytesLeft = 60_000): unknown {
  function walk(part: unknown, key: string, depth: number): unknown {
    // Every value costs some bytes, so that the walk ends on endless objects too.
    if ((bytesLeft -= key.length + 8) < 0) return;
    if ((key + '=1').match(secret)) return '[scrubbed]';
    try {
      // Dates, URLs and others define their own JSON.
      part = (part as Date | null)?.toJSON?.() ?? part;
      if (part == null || /^n|oo/.test(typeof part)) return part;
      const tag = {}.toString.call(part);
      if (depth < 10 && / (Obj|Arr)/.test(tag)) {
        // Without a prototype, `__proto__` is a key like any other.
        const copy = (/Arr/.test(tag) ? [] : { __proto__: null }) as Record<string, unknown>;
        for (const name in part as object)
          if (bytesLeft > 0) copy[name] = walk((part as typeof copy)[name], name, depth + 1);
        return copy;
      }
      // Errors become their text. DOM nodes and maps become their class, because their text may be endless.
      const text = Object(part) !== part || (part as Error).message ? part + '' : tag;
      // A character takes up to three bytes. One text gets a third of the bytes, so that others have room.
      const short = truncate(text, bytesLeft / 3);
      bytesLeft -= byteLength(short);
      return short.replace(secret, '$1[scrubbed]');
    } catch {
      return '…';
    }
  }
  return walk(value, '', 1);
}
