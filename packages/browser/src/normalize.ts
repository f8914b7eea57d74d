import { readProperty } from './read-property.ts';
import { isSecret, scrub } from './scrub.ts';

const maxDepth = 10;

/** Returns an upper bound of the bytes of a text in UTF-8. An exact count would need TextEncoder, which jsdom lacks. */
export function byteLength(text: string): number {
  return text.replace(/[^ -~]/g, '···').length;
}

/**
 * Returns the first `maxChars` UTF-16 units of a text, followed by `…` if it was longer. Keeps surrogate pairs whole.
 * Builds a new string, because a slice would keep the whole text alive.
 */
export function truncate(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return [text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, ''), '…'].join('');
}

/** Returns the name of a value's class as the engine knows it: `Array`, `Map`, `HTMLDivElement`. */
export function classOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/**
 * Returns a copy of any value that can be written as JSON, without secrets. The copy has about `maxBytes` bytes of JSON
 * and ten levels at most; the rest is dropped. Values that cannot be read become `…`. Never throws.
 */
export function normalize(value: unknown, maxBytes = 60_000): unknown {
  let bytesLeft = maxBytes;

  function copyMember(owner: object, key: string, depth: number): unknown {
    // Every value costs some bytes, so that the walk ends on endless objects too.
    bytesLeft -= key.length + 8;
    if (bytesLeft < 0) return;
    try {
      const original: unknown = Reflect.get(owner, key);
      // Dates, URLs and others define their own JSON.
      const toJson = readProperty(original, 'toJSON');
      const part: unknown = typeof toJson === 'function' ? toJson.call(original) : original;
      if (isSecret(key, part)) return '[scrubbed]';
      if (part == null || /boolean|number/.test(typeof part)) return part;
      const name = classOf(part);
      const source = Object(part);
      const isArray = Array.isArray(part);
      if (depth < maxDepth && (isArray || name === 'Object')) {
        // Without a prototype, `__proto__` is a key like any other.
        const members = isArray ? [] : Object.create(null);
        // The keys of an array are not listed: a page would wait while those of a million members are.
        for (const member of isArray ? [].keys.call(source) : Object.keys(source)) {
          if (bytesLeft < 0) break;
          members[member] = copyMember(source, String(member), depth + 1);
        }
        return members;
      }
      // Errors become their text. DOM nodes and maps become their class, because their text may be endless.
      const isText = source !== part || readProperty(part, 'message');
      // One text gets a third of the bytes, so that others have room. A character takes up to three.
      const text = truncate(isText ? String(part) : `[object ${name}]`, bytesLeft / 3);
      bytesLeft -= byteLength(text);
      return scrub(text);
    } catch {
      return '…';
    }
  }

  return copyMember({ '': value }, '', 1);
}
