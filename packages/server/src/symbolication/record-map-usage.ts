import { hourMs } from '../time/units.ts';
import type { SymbolicationContext } from './symbolication-context.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';

/** The last use of a map is stored to the hour: one log entry per frame would cost more than it is worth. */
const precisionMs = hourMs;

/** Records that maps have resolved a frame. Callers do not wait for it. */
export function recordMapUsage({ store, log, now }: SymbolicationContext, maps: Iterable<SourceMapRecord>): void {
  for (const used of maps) {
    if (isFresh(used, now())) continue;
    const { id } = used;
    store
      .commit((transaction) => {
        const map = transaction.get('source_maps', id);
        // Another transaction may have recorded the use in the meantime.
        if (map && !isFresh(map, transaction.now))
          transaction.put('source_maps', { ...map, last_used_at: new Date(transaction.now).toISOString() });
      })
      .catch((error: unknown) =>
        log.warn({ err: error, source_map_id: id }, 'the use of a source map was not recorded'),
      );
  }
}

function isFresh({ last_used_at }: SourceMapRecord, now: number): boolean {
  return last_used_at !== null && now - Date.parse(last_used_at) < precisionMs;
}
