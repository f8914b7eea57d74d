import { isSecretName, scrub, removedText } from '../scrub.ts';

/** Deeper ones no report has: they came in as text. */
const mostDepth = 12;

/** A copy of a JSON value in which what stands under the name of a secret, however deep, and every text is scrubbed. */
export function scrubValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= mostDepth) return removedText;
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      scrub(name),
      isSecretName(name) ? removedText : scrubValue(item, depth + 1),
    ]),
  );
}
