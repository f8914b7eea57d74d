import { limits } from '@service/protocol';
import { validationFailed } from '../validation/validation.ts';

/** Throws `validation_failed` for JSON that is nested too deep or has too many values. `text` is what `body` was made of. */
export function assertJsonComplexity(body: object, text: string): void {
  if (!isObviouslySimple(text)) countValues(body, 1, 0);
}

/** Whether a text is too short for so many values, and opens too few containers for so deep a nesting. */
function isObviouslySimple(text: string): boolean {
  return text.length <= limits.jsonNodes && count(text, '{') + count(text, '[') <= limits.jsonDepth;
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0 && found <= limits.jsonDepth; at = text.indexOf(character, at + 1))
    found++;
  return found;
}

/** How many values there are in a container and all within it, and `counted` before it. */
function countValues(container: object, depth: number, counted: number): number {
  if (depth > limits.jsonDepth)
    throw validationFailed([{ path: '', detail: `expected at most ${limits.jsonDepth} levels of JSON` }]);
  let nodes = counted;
  // Not by Object.values, which would make a list of each container. What JSON has made inherits nothing to go through.
  for (const key in container) {
    const value = (container as Record<string, unknown>)[key];
    nodes++;
    if (typeof value === 'object' && value !== null) nodes = countValues(value, depth + 1, nodes);
  }
  if (nodes > limits.jsonNodes)
    throw validationFailed([{ path: '', detail: `expected at most ${limits.jsonNodes} values in the JSON` }]);
  return nodes;
}
