import { limits } from '@service/protocol';
import { validationFailed } from './validation.ts';

/** Throws `validation_failed` if the JSON is nested too deep or has too many values. `text` is the text of `body`. */
export function assertJsonComplexity(body: object, text: string, maxValues: number = limits.jsonNodes): void {
  if (isObviouslySimple(text)) return;
  const values = countValues(body, 1, 0);
  if (values === Infinity)
    throw validationFailed([{ path: '', detail: `expected at most ${limits.jsonDepth} levels of JSON` }]);
  if (values > maxValues)
    throw validationFailed([{ path: '', detail: `expected at most ${maxValues} values in the JSON` }]);
}

/** Returns whether the JSON of a report is nested too deep or has too many values. */
export function isTooComplex(body: object): boolean {
  return countValues(body, 1, 0) > limits.jsonNodes;
}

/** Returns whether the text cannot exceed the limits: it is short, and opens few containers. A cheap first check. */
function isObviouslySimple(text: string): boolean {
  return text.length <= limits.jsonNodes && countCharacter(text, '{') + countCharacter(text, '[') <= limits.jsonDepth;
}

function countCharacter(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0 && found <= limits.jsonDepth; at = text.indexOf(character, at + 1))
    found++;
  return found;
}

/**
 * Counts the values in a container and all nested ones, and adds `counted`. Returns Infinity if they are nested too
 * deep.
 */
function countValues(container: object, depth: number, counted: number): number {
  if (depth > limits.jsonDepth) return Infinity;
  let values = counted;
  // Object.values would allocate an array for each container. Parsed JSON inherits no enumerable keys.
  for (const key in container) {
    const value = (container as Record<string, unknown>)[key];
    values++;
    if (typeof value !== 'object' || value === null) continue;
    values = countValues(value, depth + 1, values);
    if (values === Infinity) break;
  }
  return values;
}
