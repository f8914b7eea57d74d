import { read } from './read.ts';

// Linear in time: what a quantifier has passed it never enters again. First `token=…` in a query, a fragment or a
// cookie, also percent-encoded, `Bearer …` and JSON web tokens; `:10:5` after one is a place in a script. Then
// `//user:password@`, and e-mails, but not `package@1.2.3`.
const secret =
  /(\b(?:\w*(?:token|secret|passw(?:or)?d|api[_-]?key|cookie|csrf|signature|credentials|jwt|auth|authorization|session)|(?:3F|26)?code)(?:=|%3D)|\bBearer\s+|\beyJ)(?:(?!:\d+:\d)[^\s&#"')])+|\/\/[^\s/@]+@|[\w.+-]{1,64}(?:@|%40)(?!\d+\.\d)[\w.-]+\.[a-z]{2,}/gi;

/** The first `chars` UTF-16 units of a text, marked if it was longer. */
export function cut(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars)}…` : text;
}

/**
 * A copy of any value that JSON can write and that the page cannot change any more, without passwords, tokens and
 * e-mail addresses: some `chars` of text, 8 levels. What can't be read is left out.
 */
export function copy(value: unknown, chars = 4_096): unknown {
  function visit(part: unknown, level: number): unknown {
    if (typeof part === 'string') {
      const text = cut(part, chars);
      chars -= text.length;
      return text.replace(secret, '$1[scrubbed]');
    }
    if (Object(part) !== part) return typeof part === 'bigint' ? `${part}` : part;
    try {
      // An object costs something too, so that this ends with those that are endless.
      if (level > 8 || (chars -= 8) < 0) return '…';
      if (Array.isArray(part)) return part.slice(0, 100).map((item) => visit(item, level + 1));
      // Dates and errors have a text of their own; nodes and maps are told by their class.
      if (Object.prototype.toString.call(part) !== '[object Object]') {
        return visit((part as Partial<Date>).toJSON?.() ?? String(part), level + 1);
      }
      const keys = Object.keys(part as object).slice(0, 100);
      return Object.fromEntries(
        keys.map((key) => [key, `${key}=1`.search(secret) < 0 ? visit(read(part, key), level + 1) : '[scrubbed]']),
      );
    } catch {
      return '…';
    }
  }
  return visit(value, 0);
}
