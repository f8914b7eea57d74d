import { attempt, readProperty } from './guard.ts';
import { isSecret, scrub } from './scrub.ts';

/** Returns the length of a text in UTF-8 bytes. A Blob takes 100 times as long: browsers send it to another process. */
export function byteLength(text: string): number {
  // jsdom has no TextEncoder. A UTF-16 unit takes three bytes at most.
  return globalThis.TextEncoder ? new TextEncoder().encode(text).length : text.length * 3;
}

/**
 * Returns the first `maxChars` UTF-16 units of a text, followed by `…` if it was longer. Keeps surrogate pairs whole.
 * Builds a new string, because a slice would keep the whole text alive.
 */
export function truncate(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return [...text.slice(0, end), '…'].join('');
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

  function copy(original: unknown, key: string, depth: number): unknown {
    // Every value costs some bytes, so that the walk ends on endless objects too.
    bytesLeft -= key.length + 8;
    if (bytesLeft < 0) return undefined;
    try {
      // Dates, URLs and others define their own JSON.
      const toJson = readProperty(original, 'toJSON');
      const part: unknown = typeof toJson === 'function' ? toJson.call(original) : original;
      if (isSecret(key, part)) return '[scrubbed]';
      if (part == null || typeof part === 'boolean' || typeof part === 'number') return part;
      const name = classOf(part);
      if (depth < 10 && (name === 'Object' || name === 'Array')) return copyMembers(Object(part), name, depth + 1);
      // Errors become their text. DOM nodes and maps become their class, because their text may be endless.
      const isText = Object(part) !== part || readProperty(part, 'message');
      // A character takes up to three bytes. One text gets a third of the bytes, so that others have room.
      const text = truncate(isText ? String(part) : `[object ${name}]`, bytesLeft / 3);
      bytesLeft -= byteLength(text);
      return scrub(text);
    } catch {
      return '…';
    }
  }

  function copyMembers(part: object, name: string, depth: number): unknown {
    // Without a prototype, `__proto__` is a key like any other.
    const members: Record<string, unknown> = name === 'Array' ? Object([]) : Object.create(null);
    for (const key in part) {
      if (bytesLeft <= 0) break;
      // A getter that throws spoils its own member only.
      const [member] = attempt(() => [Reflect.get(part, key) as unknown]) ?? ['…'];
      members[key] = copy(member, key, depth);
    }
    return members;
  }

  return copy(value, '', 1);
}
