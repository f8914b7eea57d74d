import type { Services } from '../services.ts';
import { unusedBlobs } from '../store/shared-blobs.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import { dayMs, hourMs, minuteMs } from '../time/units.ts';
import { removeBlob } from './remove-blob.ts';

const firstMapCheckMs = minuteMs;
const mapCheckMs = hourMs;
/** Maps that one transaction removes. */
const maxRemovedMaps = 200;

/** Deletes unused source maps a minute after the start, then every hour. Returns a function that stops the job. */
export function startMapExpiry(services: Services): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  const check = (): void => {
    running = expireSourceMaps(services, () => isStopped).catch((error: unknown) =>
      services.log.warn({ err: error }, 'unused source maps could not be deleted; the server tries again in an hour'),
    );
  };
  const first = setTimeout(check, firstMapCheckMs).unref();
  const timer = setInterval(check, mapCheckMs).unref();
  return async () => {
    isStopped = true;
    clearTimeout(first);
    clearInterval(timer);
    await running;
  };
}

/**
 * Deletes the source maps that resolved no stack for `SERVICE_SOURCE_MAP_DAYS`. A deletion can't be undone, so nothing
 * expires while the clock of the machine is doubted.
 */
export async function expireSourceMaps(services: Services, isStopped = (): boolean => false): Promise<void> {
  const { store, config, now, log } = services;
  if (store.isClockDoubted) return;
  const before = now() - config.sourceMapDays * dayMs;
  const isUnused = (map: SourceMapRecord): boolean => Date.parse(map.last_used_at ?? map.created_at) < before;
  const ids = Array.from(store.model.tables.source_maps.values())
    .filter(isUnused)
    .map(({ id }) => id);
  let deleted = 0;
  for (let start = 0; start < ids.length && !isStopped(); start += maxRemovedMaps) {
    const { count, blobs } = await store.commit((transaction) => {
      const expired = ids.slice(start, start + maxRemovedMaps).flatMap((id) => {
        const map = transaction.get('source_maps', id);
        // A stack may have used the map in the meantime.
        return map && isUnused(map) ? [map] : [];
      });
      for (const { id } of expired) transaction.remove('source_maps', id);
      return { count: expired.length, blobs: unusedBlobs(transaction, expired) };
    });
    deleted += count;
    for (const blob of blobs) await removeBlob(services, blob);
  }
  if (deleted > 0)
    log.info({ source_maps: deleted, days: config.sourceMapDays }, 'deleted source maps that were not used');
}
