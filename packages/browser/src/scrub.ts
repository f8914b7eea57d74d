// Linear in time: what a quantifier has passed it never enters again. First `token=…` in a query, a fragment or a
// cookie, also percent-encoded, `Bearer …` and JSON web tokens; `:10:5` after one is a place in a script. Then
// `//user:password@`, and e-mails, but not `package@1.2.3`.
const secret =
  /(\b((\w*(token|secret|passw(or)?d|api[_-]?key|cookie|csrf|signature|credentials|jwt|auth(orization)?|session)|(3F|26)?code)(=|%3D)|Bearer\s+|eyJ))((?!:\d+:\d)[^\s&#"')])+|\/\/[^\s/@]+@|[\w.+-]{1,64}(@|%40)(?!\d+\.\d)[\w.-]+\.[a-z]+/gi;

/** The first `chars` UTF-16 units of a text, marked if it was longer: a new text, for a slice would keep all of it alive. */
export function cut(text: string, chars: number): string {
  return text.length > chars ? [...text.slice(0, chars), '…'].join('') : text;
}

/**
 * A copy of any value that JSON can write and that the page cannot change any more, without passwords, tokens and
 * e-mail addresses: about `chars` of JSON, the rest is left out. What can't be read is `…`.
 */
export function copy(value: unknown, chars = 4_096): unknown {
  try {
    const text = JSON.stringify(value, (key, part: unknown) => {
      if (`${key}=1`.search(secret) >= 0) return '[scrubbed]';
      // Everything costs something, so that this ends with objects that are endless.
      if ((chars -= key.length + 8) < 0) return undefined;
      if (Array.isArray(part)) return part.slice(0, 100);
      // A copy, for JSON refuses an object that contains itself.
      if ({}.toString.call(part) === '[object Object]') return { ...(part as object) };
      // Errors have a text of their own; nodes and maps are told by their class.
      if (typeof part === 'string' || Object(part) === part || typeof part === 'bigint') {
        // No text takes the room of all others.
        const short = cut(String(part), Math.min(chars, 8_192));
        chars -= short.length;
        return short.replace(secret, '$1[scrubbed]');
      }
      return part;
    });
    return text && JSON.parse(text);
  } catch {
    return '…';
  }
}
