import { removedText } from './removed-text.ts';
import { isSecretName } from './secret-name.ts';

/** Reports contain no deeper values: ingestion turns them into text. */
const maxDepth = 12;
/** Longer texts do not count as names. */
const maxEntryNameChars = 64;
/** Keys that lists of headers and form fields use for names. */
const nameKeys = new Set(['name', 'key', 'header', 'field', 'id']);
const valueKeys = new Set(['value', 'val', 'content', 'text', 'data']);

/**
 * Returns a copy of a JSON value with all texts scrubbed. Values under the name of a secret are removed at any depth.
 * The name may also be next to its value: `["cookie", "sid=1"]`, `{ "name": "cookie", "value": "sid=1" }`.
 */
export function scrubValue(value: unknown, scrub: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return removedText;
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

/** Returns true for names like `token` and `X-Api-Key:`, but not for a sentence that contains one. */
function isNameOfSecret(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= maxEntryNameChars &&
    /^[\w.-]+\s*[:=]?\s*$/.test(value) &&
    isSecretName(value.replace(/[\s:=]+$/, ''))
  );
}
