import type { Accepted, GroupStatus } from '@service/protocol';
import { usageEntry, type Entry, type ReportEntry, type Written } from '../records/entry.ts';
import type { StoredResponse } from '../model/idempotency-index.ts';
import type { Model } from '../model/model.ts';
import { openingOf, type OpenedGroup } from '../model/opening-codec.ts';
import { monthOf } from '../records/month.ts';
import { ProjectMap } from '../structures/project-map.ts';
import type { CounterName, Records, SourceMapRecord, SummaryRecord, TableName } from '../records/records.ts';
import type { QuotaDrop } from './quota-drops.ts';
import type { Table } from '../records/table.ts';
import type { MonthlyUsage } from '../records/usage.ts';

const noRecords: ReadonlyMap<number | string, null> = new Map();

/** What decisions need to know of a group. */
export interface TransactionGroup {
  id: number;
  projectId: number;
  status: GroupStatus;
  count: number;
  lastStoredAt: number;
}

/**
 * One batch while it is being decided: what the model holds, and over it what this batch has decided so far.
 * Readers never see it. Once the batch is durable its entries are folded into the model; if the write
 * fails, the transaction is dropped and nothing has happened.
 */
export class Transaction {
  readonly written: Written[] = [];
  /** Characters, or bytes, of the report bodies: by far the largest part of a batch. */
  sizeChars = 0;
  readonly now: number;
  readonly model: Model;
  readonly #records = new Map<TableName, Map<number | string, Records[TableName] | null>>();
  readonly #ids = new Map<CounterName, number>();
  readonly #groups = new Map<number, TransactionGroup | null>();
  readonly #openedGroups = new ProjectMap<number>();
  readonly #answers = new ProjectMap<StoredResponse>();
  readonly #usage = new Map<number, number>();
  /** The `usage` entries of this batch, by team and month. */
  readonly #usageEntries = new Map<string, Readonly<MonthlyUsage>>();
  readonly #refused = new Map<number, number>();
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
    const drafted = this.#ids.get(kind);
    const id = drafted === undefined ? this.model.nextId(kind) : drafted + 1;
    this.#ids.set(kind, id);
    return id;
  }

  get<Name extends TableName>(table: Name, id: Records[Name]['id']): Records[Name] | undefined {
    const drafted = this.#records.get(table)?.get(id);
    if (drafted !== undefined) return (drafted ?? undefined) as Records[Name] | undefined;
    return this.model.tables[table].get(id as never) as Records[Name] | undefined;
  }

  /** By the key that no two rows of the table share. */
  find<Name extends TableName>(table: Name, key: string): Records[Name] | undefined {
    const rows = this.model.tables[table] as Table<Records[Name]>;
    for (const record of this.#drafted(table).values()) if (record && rows.keyOf(record) === key) return record;
    const known = rows.find(key);
    const now = known && this.get(table, known.id);
    return now && rows.keyOf(now) === key ? now : undefined;
  }

  /** All rows of a table. */
  *rows<Name extends TableName>(table: Name): Generator<Records[Name]> {
    const rows = this.model.tables[table] as Table<Records[Name]>;
    const drafted = this.#drafted(table);
    for (const known of rows.values()) if (!drafted.has(known.id)) yield known;
    for (const record of drafted.values()) if (record) yield record;
  }

  put<Name extends TableName>(table: Name, record: Records[Name]): void {
    if (table === 'source_maps') this.#mapsChanged.add((record as SourceMapRecord).project_id);
    this.#note(table, record.id, record);
    this.#write({ kind: 'put', table, record } as Entry);
  }

  remove<Name extends TableName>(table: Name, id: Records[Name]['id']): void {
    const map = table === 'source_maps' && this.get(table, id);
    if (map) this.#mapsChanged.add((map as SourceMapRecord).project_id);
    this.#note(table, id, null);
    this.#write({ kind: 'remove', table, id } as Entry);
  }

  /** The maps of a project, those of this batch among them. */
  mapsOf(projectId: number): SourceMapRecord[] {
    const known = this.model.mapsOf(projectId).flatMap(({ id }) => this.get('source_maps', id) ?? []);
    const ids = new Set(known.map(({ id }) => id));
    const drafted = this.written.flatMap(({ entry }) =>
      entry.kind === 'put' && entry.table === 'source_maps' && !ids.has(entry.record.id) ? entry.record.id : [],
    );
    const fresh = [...new Set(drafted)].flatMap((id) => this.get('source_maps', id) ?? []);
    return [...known, ...fresh].filter((map) => map.project_id === projectId);
  }

  /** Whether the maps of a project may be others than those that the model had. */
  haveMapsChanged(projectId: number, since: readonly SourceMapRecord[]): boolean {
    return this.model.mapsOf(projectId) !== since || this.#mapsChanged.has(projectId);
  }

  group(id: number): TransactionGroup | undefined {
    const drafted = this.#groups.get(id);
    if (drafted !== undefined) return drafted ?? undefined;
    const snapshot = this.model.groups.snapshot(id);
    if (!snapshot || !this.get('projects', snapshot.projectId)) return undefined;
    const { projectId, status, count } = snapshot;
    const lastStoredAt = this.model.groups.storedReports(id).lastAt;
    const copy: TransactionGroup = { id, projectId, status, count, lastStoredAt };
    this.#groups.set(id, copy);
    return copy;
  }

  groupOf(projectId: number, fingerprint: string): TransactionGroup | undefined {
    const id = this.#openedGroups.get(projectId, fingerprint) ?? this.model.groupId(projectId, fingerprint);
    return id === undefined ? undefined : this.group(id);
  }

  openGroup(projectId: number, fingerprint: string): TransactionGroup {
    const id = this.nextId('groups');
    const group: TransactionGroup = { id, projectId, status: 'active', count: 0, lastStoredAt: 0 };
    this.#groups.set(id, group);
    this.#openedGroups.set(projectId, fingerprint, id);
    return group;
  }

  setGroupStatus(group: TransactionGroup, status: GroupStatus): void {
    group.status = status;
    this.#write({ kind: 'group.status', id: group.id, status, at: this.now });
  }

  /** Sets the culprit that the current source maps show. */
  setCulprit({ id }: TransactionGroup, culprit: string | null): void {
    this.#write({ kind: 'group.culprit', id, culprit });
  }

  removeGroup(group: TransactionGroup): void {
    this.#groups.set(group.id, null);
    this.#write({ kind: 'group.remove', id: group.id });
    const summary = this.get('summaries', group.id);
    if (summary) this.#removeSummary(summary);
  }

  /** Removes a project. The model removes what belongs to it; entries are written only for what is counted elsewhere. */
  removeProject(id: number): void {
    const drafted = this.#drafted('summaries');
    const ids = new Set([...this.model.tables.summaries.values(), ...drafted.values()].flatMap((row) => row?.id ?? []));
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
    return this.#answers.get(projectId, eventId) ?? this.model.storedResponse(projectId, eventId);
  }

  storeResponse(projectId: number, eventId: string, response: Accepted): void {
    this.#answers.set(projectId, eventId, { at: this.now, response });
  }

  /** Reports of the team in the current month, those of this batch among them. */
  errorsUsed(teamId: number): number {
    return (this.#usage.get(teamId) ?? 0) + this.model.errorsUsed(teamId, monthOf(this.now));
  }

  /** Counts a report of a team. `opened`: what identifies the group, if the report opens it. */
  countReport(teamId: number, entry: ReportEntry, opened: OpenedGroup | null, body: Written['body']): void {
    this.#usage.set(teamId, (this.#usage.get(teamId) ?? 0) + 1);
    this.written.push({ entry: opened ? openingOf(entry, opened) : entry, body });
    this.sizeChars += body?.length ?? 0;
  }

  /** Rows of a table that this batch has put, and null for those that it has removed. */
  #drafted<Name extends TableName>(table: Name): ReadonlyMap<number | string, Records[Name] | null> {
    return (this.#records.get(table) ?? noRecords) as ReadonlyMap<number | string, Records[Name] | null>;
  }

  /** Reports that this batch has refused because of the quota, by team. `recordQuotaDrop` adds them to the log. */
  get refused(): ReadonlyMap<number, number> {
    return this.#refused;
  }

  countRefused(teamId: number): void {
    this.#refused.set(teamId, (this.#refused.get(teamId) ?? 0) + 1);
  }

  recordQuotaDrop({ teamId, month, count, since }: QuotaDrop): void {
    const used = this.#usedOf(teamId, month);
    this.#putUsage(teamId, month, {
      ...used,
      refused: used.refused + count,
      refusedSince: used.refusedSince ?? since,
    });
  }

  /** AI explanations of the team in a month, those of this batch among them. */
  aiUsed(teamId: number, month = monthOf(this.now)): number {
    return this.#usedOf(teamId, month).ai;
  }

  /** Takes a unit of the AI quota, or gives one back to the month that it was taken from. */
  countAi(teamId: number, month: number, units: 1 | -1): void {
    const used = this.#usedOf(teamId, month);
    this.#putUsage(teamId, month, { ...used, ai: Math.max(0, used.ai + units) });
  }

  #usedOf(teamId: number, month: number): Readonly<MonthlyUsage> {
    const known = this.#usageEntries.get(`${teamId} ${month}`) ?? this.model.usage.get(teamId, month);
    // A `usage` entry replaces the count, so it includes the reports that this batch has counted before it.
    return month === monthOf(this.now) ? { ...known, errors: this.errorsUsed(teamId) } : known;
  }

  #putUsage(teamId: number, month: number, used: Readonly<MonthlyUsage>): void {
    this.#usageEntries.set(`${teamId} ${month}`, used);
    this.#write(usageEntry(teamId, month, used));
  }

  #note(table: TableName, id: number | string, record: Records[TableName] | null): void {
    const records = this.#records.get(table);
    if (records) records.set(id, record);
    else this.#records.set(table, new Map([[id, record]]));
  }

  #write(entry: Entry): void {
    this.written.push({ entry, body: null });
  }
}
