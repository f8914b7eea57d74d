import type { Services } from '../services.ts';

/** Removes a blob. Never rejects: a blob that remains is removed at the next start. */
export async function removeBlob({ store, log }: Pick<Services, 'store' | 'log'>, blob: string): Promise<void> {
  await store.blobs
    .remove(blob)
    .catch((error: unknown) => log.warn({ err: error }, 'a source map could not be removed'));
}
