import { bytesOf } from './bytes-of.ts';
import { secret } from './scrub.ts';

/** The first `chars` UTF-16 units of a text, marked if it was longer: a new text, for a slice would keep all of it alive. */
export function cut(text: string, chars: number): string {
  return text.length > chars ? [...text.slice(0, chars), '…'].join('') : text;
}

/**
 * A copy of any value, as JSON can write it and the page cannot change it any more, without secrets: about `bytes` of
 * JSON and ten levels, the rest is left out. What can't be read is `…`. Never throws.
 */
export function copy(value: unknown, bytes = 60_000): unknown {
  function walk(part: unknown, key: string, depth: number): unknown {
    // Everything costs something, so that this ends with objects that are endless.
    if ((bytes -= key.length + 8) < 0) return;
    if ((key + '=1').match(secret)) return '[scrubbed]';
    try {
      // Dates, URLs and such know how they want to be written.
      part = (part as Date | null)?.toJSON?.() ?? part;
      if (part == null || /^n|oo/.test(typeof part)) return part;
      const kind = {}.toString.call(part);
      if (depth < 10 && / (Obj|Arr)/.test(kind)) {
        // Without a prototype, `__proto__` is a key like any other.
        const copied = (/Arr/.test(kind) ? [] : { __proto__: null }) as Record<string, unknown>;
        for (const name in part as object)
          if (bytes > 0) copied[name] = walk((part as typeof copied)[name], name, depth + 1);
        return copied;
      }
      // Errors have a text of their own; nodes and maps are told by their class, for their text may be endless.
      const text = Object(part) !== part || (part as Error).message ? part + '' : kind;
      // A character is up to three bytes, and no text takes the room of all others.
      const short = cut(text, bytes / 3);
      bytes -= bytesOf(short);
      return short.replace(secret, '$1[scrubbed]');
    } catch {
      return '…';
    }
  }
  return walk(value, '', 1);
}
