import { share, shared } from './client.ts';
import { copy } from './copy.ts';
import { guard } from './guard.ts';

/** Merges keys into the metadata of every later report; null deletes a key. Values are copied. */
export const setMetadata = guard((changes: Record<string, unknown>): void => {
  const all = Object.entries({ ...shared.metadata, ...Object(copy(changes)) });
  share({ metadata: Object.fromEntries(all.filter(([, value]) => value != null)) });
});
