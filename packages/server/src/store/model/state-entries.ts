import { BytesWriter } from '../codec/bytes-writer.ts';
import { usageEntry, type Entry, type PutEntry } from '../records/entry.ts';
import type { LogPointer } from './stored-reports.ts';
import type { Model } from './model.ts';
import type { TableName } from '../records/records.ts';
import { mapFacets } from '../records/report-columns.ts';

/** A `groups` entry is closed once it has this many bytes. */
const packedBytes = 48 * 1024;

/** The stored reports of a group, oldest first, to be rewritten as `moved` entries. */
export interface GroupReports {
  groupId: number;
  pointers: readonly LogPointer[];
}

/**
 * Returns the whole state as entries, in slices, for a compaction. Each slice describes the state when it is taken. Between
 * slices, reports may be counted and groups may be added or removed. New groups are already in the log; removed ones are
 * skipped. The order matters: tables and totals in one slice; groups, each followed by its stored reports; last the responses
 * by `event_id`, so that those added in the meantime get their fingerprints.
 */
export function* stateEntries(model: Model): Generator<Entry[] | GroupReports> {
  yield plainEntries(model);
  yield* groupEntries(model);
  for (const packed of model.responses.pack()) yield [{ kind: 'answers', packed }];
}

function plainEntries(model: Model): Entry[] {
  const { groups, responses } = model;
  const entries: Entry[] = [
    {
      kind: 'counters',
      last_ids: Object.fromEntries(model.lastIds),
      ...(model.skippedIds.size > 0 && { skipped_ids: Object.fromEntries(model.skippedIds) }),
      groups: groups.size,
      answers: responses.size,
    },
  ];
  for (const table of Object.keys(model.tables) as TableName[]) {
    for (const record of model.tables[table].values()) entries.push({ kind: 'put', table, record } as PutEntry);
  }
  for (const { teamId, month, used } of model.usage) entries.push(usageEntry(teamId, month, used));
  for (const { id: project_id } of model.tables.projects.values()) {
    const facets = model.facets(project_id);
    entries.push({ kind: 'facets', project_id, ...mapFacets((facet) => facets[facet].toReversed()) });
  }
  return entries;
}

function* groupEntries({ groups }: Model): Generator<Entry[] | GroupReports> {
  const { columns } = groups;
  const writer = new BytesWriter();
  // Groups that are added from now on may get later slots. They are already in the log.
  const { length } = columns;
  for (let slot = 0; slot < length;) {
    const ids: number[] = [];
    writer.clear();
    for (; slot < length && writer.size < packedBytes; slot++) {
      const id = columns.ids[slot] ?? 0;
      if (id === 0) continue;
      ids.push(id);
      groups.packInto(slot, writer);
    }
    if (ids.length === 0) continue;
    yield [{ kind: 'groups', packed: Uint8Array.from(writer.bytes.subarray(0, writer.size)) }];
    for (const groupId of ids) {
      const pointers = [...groups.storedReports(groupId).pointers()];
      if (pointers.length > 0) yield { groupId, pointers };
    }
  }
}
