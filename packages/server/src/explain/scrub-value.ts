import { removedText } from '../scrub/removed-text.ts';
import { isSecretName } from '../scrub/secret-name.ts';

/** Deeper ones no report has: they came in as text. */
const mostDepth = 12;
/** A longer text is no name. */
const nameChars = 64;
/** As lists of headers and of form fields have it. */
const nameKeys = new Set(['name', 'key', 'header', 'field', 'id']);
const valueKeys = new Set(['value', 'val', 'content', 'text', 'data']);

/**
 * A copy of a JSON value without what stands under the name of a secret, however deep, and with every text scrubbed. A
 * name may stand beside its value, too: `["cookie", "sid=1"]`, `{ "name": "cookie", "value": "sid=1" }`.
 */
export function scrubValue(value: unknown, scrub: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= mostDepth) return removedText;
  if (Array.isArray(value))
    return value.map((item, index) =>
      isNameOfSecret(value[index - 1]) ? removedText : scrubValue(item, scrub, depth + 1),
    );
  const entries = Object.entries(value);
  const isNamed = entries.some(([key, item]) => nameKeys.has(key.toLowerCase()) && isNameOfSecret(item));
  return Object.fromEntries(
    entries.map(([key, item]) => [
      scrub(key),
      isSecretName(key) || (isNamed && valueKeys.has(key.toLowerCase()))
        ? removedText
        : scrubValue(item, scrub, depth + 1),
    ]),
  );
}

/** `token`, `X-Api-Key:` and the like, but not a sentence in which such a word stands. */
function isNameOfSecret(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= nameChars &&
    /^[\w.-]+\s*[:=]?\s*$/.test(value) &&
    isSecretName(value.replace(/[\s:=]+$/, ''))
  );
}
