import type { Accepted, GroupStatus } from '@service/protocol';
import { usageEntry, type Entry, type ReportEntry, type Written } from '../records/entry.ts';
import type { StoredResponse } from '../model/response-index.ts';
import type { Model } from '../model/model.ts';
import { openingOf, type OpenedGroup } from '../model/opening-codec.ts';
import { monthOf } from '../records/month.ts';
import { maxLargeGroupBytes, maxProjectTagChars } from '../structures/memory-limits.ts';
import { ProjectMap } from '../structures/project-map.ts';
import type { SourceMapRecord } from '../records/source-map-records.ts';
import type { SummaryRecord } from '../records/explanation-records.ts';
import type { CounterName, Records, TableName } from '../records/tables.ts';
import type { QuotaDrop } from './quota-drops.ts';
import type { Table } from '../records/table.ts';
import type { MonthlyUsage } from '../records/usage.ts';

const noRecords: ReadonlyMap<number | string, null> = new Map();

/** The facts about a group that a transaction reads. */
export interface TransactionGroup {
  id: number;
  projectId: number;
  status: GroupStatus;
  count: number;
  lastStoredAt: number;
}

/**
 * The changes of a batch that is not written yet. Reads return the staged changes, and otherwise the state of the
 * model. Nothing outside of the batch sees staged changes. Once the batch is durable, its entries are applied to the
 * model. If the write fails, the transaction is dropped and nothing has changed.
 */
export class Transaction {
  readonly written: Written[] = [];
  /** The total length of the report bodies, in characters or bytes. They are by far the largest part of a batch. */
  sizeChars = 0;
  readonly now: number;
  readonly model: Model;
  readonly #records = new Map<TableName, Map<number | string, Records[TableName] | null>>();
  readonly #ids = new Map<CounterName, number>();
  readonly #groups = new Map<number, TransactionGroup | null>();
  readonly #openedGroups = new ProjectMap<number>();
  readonly #responses = new ProjectMap<StoredResponse>();
  readonly #usage = new Map<number, number>();
  /** The `usage` entries of this batch, by team and month. */
  readonly #usageEntries = new Map<string, Readonly<MonthlyUsage>>();
  readonly #quotaDrops = new Map<number, number>();
  /** Projects whose maps this batch has changed. */
  readonly #mapsChanged = new Set<number>();

  constructor(model: Model, now: number) {
    this.model = model;
    this.now = now;
  }

  lastId(kind: CounterName): number {
    return this.#ids.get(kind) ?? this.model.lastId(kind);
  }

  nextId(kind: CounterName): number {
    const staged = this.#ids.get(kind);
    const id = staged === undefined ? this.model.nextId(kind) : staged + 1;
    this.#ids.set(kind, id);
    return id;
  }

  get<Name extends TableName>(table: Name, id: Records[Name]['id']): Records[Name] | undefined {
    const staged = this.#records.get(table)?.get(id);
    if (staged !== undefined) return (staged ?? undefined) as Records[Name] | undefined;
    return this.model.tables[table].get(id as never) as Records[Name] | undefined;
  }

  /** Finds a row by the unique key of the table. */
  find<Name extends TableName>(table: Name, key: string): Records[Name] | undefined {
    const rows = this.model.tables[table] as Table<Records[Name]>;
    for (const record of this.#staged(table).values()) if (record && rows.keyOf(record) === key) return record;
    const known = rows.find(key);
    const now = known && this.get(table, known.id);
    return now && rows.keyOf(now) === key ? now : undefined;
  }

  /** Yields the rows of a table with a value: see `Table.withValue`. `valueOf` returns that value of a row. */
  *withValue<Name extends TableName>(
    table: Name,
    lookup: string,
    value: string,
    valueOf: (record: Records[Name]) => unknown,
  ): Generator<Records[Name]> {
    const rows = this.model.tables[table] as Table<Records[Name]>;
    const staged = this.#staged(table);
    for (const known of rows.withValue(lookup, value)) if (!staged.has(known.id)) yield known;
    for (const record of staged.values()) if (record && valueOf(record) === value) yield record;
  }

  /** Yields all rows of a table. */
  *rows<Name extends TableName>(table: Name): Generator<Records[Name]> {
    const rows = this.model.tables[table] as Table<Records[Name]>;
    const staged = this.#staged(table);
    for (const known of rows.values()) if (!staged.has(known.id)) yield known;
    for (const record of staged.values()) if (record) yield record;
  }

  put<Name extends TableName>(table: Name, record: Records[Name]): void {
    if (table === 'source_maps') this.#mapsChanged.add((record as SourceMapRecord).project_id);
    this.#stage(table, record.id, record);
    this.#write({ kind: 'put', table, record } as Entry);
  }

  remove<Name extends TableName>(table: Name, id: Records[Name]['id']): void {
    const map = table === 'source_maps' && this.get(table, id);
    if (map) this.#mapsChanged.add((map as SourceMapRecord).project_id);
    this.#stage(table, id, null);
    this.#write({ kind: 'remove', table, id } as Entry);
  }

  /** Returns the source maps of a project, including those of this batch. */
  mapsOf(projectId: number): SourceMapRecord[] {
    const known = this.model.mapsOf(projectId).flatMap(({ id }) => this.get('source_maps', id) ?? []);
    const ids = new Set(known.map(({ id }) => id));
    const staged = this.written.flatMap(({ entry }) =>
      entry.kind === 'put' && entry.table === 'source_maps' && !ids.has(entry.record.id) ? entry.record.id : [],
    );
    const fresh = [...new Set(staged)].flatMap((id) => this.get('source_maps', id) ?? []);
    return [...known, ...fresh].filter((map) => map.project_id === projectId);
  }

  /** Returns whether the source maps of a project may have changed since the model returned `since`. */
  haveMapsChanged(projectId: number, since: readonly SourceMapRecord[]): boolean {
    return this.model.mapsOf(projectId) !== since || this.#mapsChanged.has(projectId);
  }

  group(id: number): TransactionGroup | undefined {
    const staged = this.#groups.get(id);
    if (staged !== undefined) return staged ?? undefined;
    const snapshot = this.model.groups.snapshot(id);
    if (!snapshot || !this.get('projects', snapshot.projectId)) return undefined;
    const { projectId, status, count } = snapshot;
    const lastStoredAt = this.model.groups.reportPointers(id).lastAt;
    const copy: TransactionGroup = { id, projectId, status, count, lastStoredAt };
    this.#groups.set(id, copy);
    return copy;
  }

  groupOf(projectId: number, fingerprint: string): TransactionGroup | undefined {
    const id = this.#openedGroups.get(projectId, fingerprint) ?? this.model.groupId(projectId, fingerprint);
    return id === undefined ? undefined : this.group(id);
  }

  /** Returns the grouping version with which a group was opened, or undefined if this batch opened it. */
  groupingVersionOf(groupId: number): number | undefined {
    return this.model.groups.own(groupId)?.groupingVersion;
  }

  /** Returns the group that shows the reports of a group: itself, unless it is merged into another one. */
  targetOf(group: TransactionGroup): TransactionGroup {
    const merge = this.get('merges', group.id);
    const target = merge && this.group(merge.target_id);
    return target ? this.targetOf(target) : group;
  }

  /** Yields the groups that are merged into a group, directly or through another merged group. */
  *mergedInto({ id }: TransactionGroup): Generator<TransactionGroup> {
    const merges = [...this.withValue('merges', 'target', String(id), ({ target_id }) => String(target_id))];
    for (const { id: mergedId } of merges) {
      const group = this.group(mergedId);
      if (!group) continue;
      yield group;
      yield* this.mergedInto(group);
    }
  }

  /** Returns the fingerprint of a group of an earlier batch. */
  fingerprintOf({ id }: TransactionGroup): string {
    const facts = this.model.groups.facts(id);
    if (!facts) throw new RangeError('The group was not opened by an earlier batch.');
    return facts.fingerprint;
  }

  openGroup(projectId: number, fingerprint: string): TransactionGroup {
    const id = this.nextId('groups');
    const group: TransactionGroup = { id, projectId, status: 'active', count: 0, lastStoredAt: 0 };
    this.#groups.set(id, group);
    this.#openedGroups.set(projectId, fingerprint, id);
    return group;
  }

  /**
   * Returns whether the groups of a project have as many values of tags as they may. The characters of custom tags are
   * counted only for a report that has some.
   */
  areTagsLimited(projectId: number, hasCustomTags: boolean): boolean {
    const { groups } = this.model;
    if (groups.sizes.largeBytesOf(projectId) >= maxLargeGroupBytes) return true;
    return hasCustomTags && groups.tagChars(projectId) >= maxProjectTagChars;
  }

  /** Sets the status of a group and of the groups that are merged into it. */
  setGroupStatus(group: TransactionGroup, status: GroupStatus): void {
    for (const each of [...this.mergedInto(group), group]) {
      each.status = status;
      this.#write({ kind: 'group.status', id: each.id, status, at: this.now });
    }
  }

  /** Sets the culprit of a group, found with the current source maps. */
  setCulprit({ id }: TransactionGroup, culprit: string | null): void {
    this.#write({ kind: 'group.culprit', id, culprit });
  }

  /** Removes a group and the groups that are merged into it. */
  removeGroup(group: TransactionGroup): void {
    for (const each of [group, ...this.mergedInto(group)].toReversed()) this.#removeOwnGroup(each);
  }

  #removeOwnGroup(group: TransactionGroup): void {
    this.#groups.set(group.id, null);
    this.#write({ kind: 'group.remove', id: group.id });
    const summary = this.get('summaries', group.id);
    if (summary) this.#removeSummary(summary);
    if (this.get('merges', group.id)) this.remove('merges', group.id);
  }

  /** Removes a project. Its groups and source maps need no entries: the model removes them with the project. */
  removeProject(id: number): void {
    const staged = this.#staged('summaries');
    const ids = new Set([...this.model.tables.summaries.values(), ...staged.values()].flatMap((row) => row?.id ?? []));
    for (const summaryId of ids) {
      const summary = this.get('summaries', summaryId);
      if (summary?.project_id === id) this.#removeSummary(summary);
    }
    for (const message of this.rows('outbox')) if (message.project_id === id) this.remove('outbox', message.id);
    for (const table of ['notifications', 'message_hours', 'stale_culprits'] as const)
      if (this.get(table, id)) this.remove(table, id);
    this.remove('projects', id);
  }

  /** Removes an explanation. A pending one returns its unit of the AI quota. */
  #removeSummary({ id, status, team_id, month }: SummaryRecord): void {
    if (status === 'pending') this.countAi(team_id, month, -1);
    this.remove('summaries', id);
  }

  storedResponse(projectId: number, eventId: string): StoredResponse | undefined {
    return this.#responses.get(projectId, eventId) ?? this.model.storedResponse(projectId, eventId);
  }

  storeResponse(projectId: number, eventId: string, response: Accepted): void {
    this.#responses.set(projectId, eventId, { at: this.now, response });
  }

  /** Returns the number of reports of a team in the current month, including those of this batch. */
  errorsUsed(teamId: number): number {
    return (this.#usage.get(teamId) ?? 0) + this.model.errorsUsed(teamId, monthOf(this.now));
  }

  /** Counts a report of a team. `opened` describes the group if the report opens one. */
  countReport(teamId: number, entry: ReportEntry, opened: OpenedGroup | null, body: Written['body']): void {
    this.#usage.set(teamId, (this.#usage.get(teamId) ?? 0) + 1);
    this.written.push({ entry: opened ? openingOf(entry, opened) : entry, body });
    this.sizeChars += body?.length ?? 0;
  }

  /** Returns the rows of a table that this batch has put or removed. A removed row is null. */
  #staged<Name extends TableName>(table: Name): ReadonlyMap<number | string, Records[Name] | null> {
    return (this.#records.get(table) ?? noRecords) as ReadonlyMap<number | string, Records[Name] | null>;
  }

  /** Quota drops of this batch, by team. `recordQuotaDrop` adds them to the log later. */
  get quotaDrops(): ReadonlyMap<number, number> {
    return this.#quotaDrops;
  }

  countQuotaDrop(teamId: number, reports = 1): void {
    this.#quotaDrops.set(teamId, (this.#quotaDrops.get(teamId) ?? 0) + reports);
  }

  recordQuotaDrop({ teamId, month, count, since }: QuotaDrop): void {
    const used = this.#usedOf(teamId, month);
    this.#putUsage(teamId, month, {
      ...used,
      refused: used.refused + count,
      refusedSince: used.refusedSince ?? since,
    });
  }

  /** Returns the number of AI explanations of a team in a month, including those of this batch. */
  aiUsed(teamId: number, month = monthOf(this.now)): number {
    return this.#usedOf(teamId, month).ai;
  }

  /** Takes a unit of the AI quota, or returns one to the month from which it was taken. */
  countAi(teamId: number, month: number, units: 1 | -1): void {
    const used = this.#usedOf(teamId, month);
    this.#putUsage(teamId, month, { ...used, ai: Math.max(0, used.ai + units) });
  }

  #usedOf(teamId: number, month: number): Readonly<MonthlyUsage> {
    const known = this.#usageEntries.get(`${teamId} ${month}`) ?? this.model.usage.get(teamId, month);
    // A `usage` entry replaces the count, so it must include the reports that this batch has already counted.
    return month === monthOf(this.now) ? { ...known, errors: this.errorsUsed(teamId) } : known;
  }

  #putUsage(teamId: number, month: number, used: Readonly<MonthlyUsage>): void {
    this.#usageEntries.set(`${teamId} ${month}`, used);
    this.#write(usageEntry(teamId, month, used));
  }

  #stage(table: TableName, id: number | string, record: Records[TableName] | null): void {
    const records = this.#records.get(table);
    if (records) records.set(id, record);
    else this.#records.set(table, new Map([[id, record]]));
  }

  #write(entry: Entry): void {
    this.written.push({ entry, body: null });
  }
}
