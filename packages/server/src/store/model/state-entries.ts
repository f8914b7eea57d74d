import { BytesWriter } from '../codec/bytes-writer.ts';
import { usageEntry, type Entry, type PutEntry } from '../records/entry.ts';
import type { LogPointer } from './log-pointer.ts';
import type { Model } from './model.ts';
import type { TableName } from '../records/tables.ts';
import { mapFacets } from '../records/columns-and-fields.ts';

/** Rows of tables that are written in one step. */
const rowsInStep = 64;
/** A `groups` entry is closed once it has this many bytes. */
const packedBytes = 48 * 1024;

/** The stored reports of a group, oldest first, to be rewritten as `moved` entries. */
export interface GroupReports {
  groupId: number;
  pointers: readonly LogPointer[];
}

/**
 * Yields the whole state as entries, in slices, for a compaction or a backup. Each slice describes the state when it is
 * taken. Between slices, rows may change, reports may be counted and groups may be added or removed. New rows and
 * groups are already in the log; removed ones are skipped. The order matters: tables and totals; groups, each followed
 * by its stored reports; last the responses by `event_id`, so that those added in the meantime get their fingerprints.
 */
export function* stateEntries(model: Model, rowsAtOnce = rowsInStep): Generator<Entry[] | GroupReports> {
  yield [counters(model)];
  for (const table of Object.keys(model.tables) as TableName[]) yield* rowEntries(model, table, rowsAtOnce);
  yield* usageEntries(model, rowsAtOnce);
  yield* facetEntries(model, rowsAtOnce);
  yield* groupEntries(model);
  for (const packed of model.responses.pack()) yield [{ kind: 'answers', packed }];
}

function counters({ lastIds, skippedIds, groups, responses }: Model): Entry {
  return {
    kind: 'counters',
    last_ids: Object.fromEntries(lastIds),
    ...(skippedIds.size > 0 && { skipped_ids: Object.fromEntries(skippedIds) }),
    groups: groups.size,
    answers: responses.size,
  };
}

/** What all tables have in common. */
interface RowsById {
  values(): Iterable<{ id: number | string }>;
  get(id: never): unknown;
}

/** Yields the rows of a table, each in its state when its slice is requested: a list of rows would become outdated. */
function* rowEntries({ tables }: Model, table: TableName, atOnce: number): Generator<Entry[]> {
  const rows: RowsById = tables[table];
  for (const ids of slicesOf(
    Array.from(rows.values(), ({ id }) => id),
    atOnce,
  ))
    yield ids.flatMap((id) => {
      const record = rows.get(id as never);
      return record ? ({ kind: 'put', table, record } as PutEntry) : [];
    });
}

function* usageEntries({ usage }: Model, atOnce: number): Generator<Entry[]> {
  for (const teamIds of slicesOf([...usage.teamIds()], atOnce))
    yield teamIds.flatMap((teamId) => usage.monthsOf(teamId).map(([month, used]) => usageEntry(teamId, month, used)));
}

function* facetEntries(model: Model, atOnce: number): Generator<Entry[]> {
  const { projects } = model.tables;
  for (const ids of slicesOf(
    Array.from(projects.values(), ({ id }) => id),
    atOnce,
  ))
    yield ids
      .filter((id) => projects.get(id))
      .map((project_id) => {
        const facets = model.facets(project_id);
        return { kind: 'facets', project_id, ...mapFacets((facet) => facets[facet].toReversed()) };
      });
}

function* slicesOf<Item>(items: readonly Item[], length: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += length) yield items.slice(start, start + length);
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
      const pointers = [...groups.reportPointers(groupId).all()];
      if (pointers.length > 0) yield { groupId, pointers };
    }
  }
}
