import { normalize } from './normalize.ts';

/** Describes a thrown value that is not an error by its distinguishing features. */
export function describeValue(value: unknown): string {
  const copy = normalize(value);
  return typeof copy === 'object' ? JSON.stringify(copy) : String(copy);
}
