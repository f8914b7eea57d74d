import { limits } from '@service/protocol';
import { validationFailed } from '../validation.ts';

/** Throws `validation_failed` for JSON that is nested too deep or has too many values. Takes no stack of its own. */
export function assertSimple(body: object): void {
  let level: unknown[] = [body];
  let nodes = 0;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limits.jsonDepth)
      throw validationFailed([{ path: '', detail: `expected at most ${limits.jsonDepth} levels of JSON` }]);
    const next: unknown[] = [];
    for (const container of level) {
      for (const value of Object.values(container as object)) {
        nodes++;
        if (typeof value === 'object' && value !== null) next.push(value);
      }
    }
    if (nodes > limits.jsonNodes)
      throw validationFailed([{ path: '', detail: `expected at most ${limits.jsonNodes} values in the JSON` }]);
    level = next;
  }
}
