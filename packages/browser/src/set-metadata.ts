import { guard } from './guard.ts';
import { normalize } from './normalize.ts';
import { scope, updateScope } from './scope.ts';

/** Merges keys into the metadata of every later report; null deletes a key. Values are copied. */
export const setMetadata = guard((changes: Record<string, unknown>): void => {
  const merged = Object.entries({ ...scope.metadata, ...Object(normalize(changes)) });
  updateScope({ metadata: Object.fromEntries(merged.filter(([, value]) => value != null)) });
});
