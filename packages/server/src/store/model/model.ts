import { maxEventIds, maxFacetValues } from '../../retention/retention-policy.ts';
import { aliasId, unmergedPrefix, unnamedPrefix } from '../records/alias-id.ts';
import { BytesReader } from '../codec/bytes-reader.ts';
import type { BodySpan, Entry, FacetsEntry, MovedReportEntry, OpeningEntry, ReportEntry } from '../records/entry.ts';
import { ResponseIndex, type StoredResponse } from './response-index.ts';
import { GroupList } from './group-list.ts';
import { GroupTable } from './group-table.ts';
import { EventLog, type EventKind } from './event-log.ts';
import { shiftRecords } from './shift-records.ts';
import type { LogPointer } from './log-pointer.ts';
import { monthOf } from '../records/month.ts';
import { RecentValues } from '../structures/recent-values.ts';
import type { ProjectRecord } from '../records/project-records.ts';
import type { SourceMapRecord } from '../records/source-map-records.ts';
import type { RenameRecord } from '../records/grouping-records.ts';
import type { SummaryRecord } from '../records/explanation-records.ts';
import { createTables, type CounterName, type Records, type TableName } from '../records/tables.ts';
import { columnIndex, facetColumns, mapFacets, type ColumnFacets } from '../records/columns-and-fields.ts';
import type { Table } from '../records/table.ts';
import { Usage } from '../records/usage.ts';

/**
 * The whole state in memory, which is derived from the log: entries change it only through `apply`, and the ledger sets
 * `batchNumber`.
 */
export class Model {
  readonly tables = createTables();
  readonly groups: GroupTable;
  readonly lists: GroupList;
  readonly responses = new ResponseIndex(maxEventIds);
  readonly usage = new Usage();
  readonly eventLog = new EventLog();
  /** The last id of each kind. Ids are never reused. */
  readonly lastIds = new Map<CounterName, number>();
  /** The highest id of each kind that is skipped: see `Ledger.skipIds`. */
  readonly skippedIds = new Map<CounterName, number>();

  readonly #retentionReports: number;
  /** By project, in the order of `facetColumns`. */
  readonly #facets = new Map<number, readonly RecentValues[]>();
  readonly #oldestPaths = new WeakMap<readonly RenameRecord[], ReadonlyMap<string, string>>();

  constructor(retentionReports: number, cachedGroups = 2_048) {
    this.#retentionReports = retentionReports;
    this.groups = new GroupTable(cachedGroups, this.tables.merges);
    this.lists = new GroupList(this.groups);
  }

  /** Number of the newest batch. */
  get batchNumber(): number {
    return this.groups.batchNumber;
  }

  set batchNumber(number: number) {
    this.groups.batchNumber = number;
  }

  /** Returns an id that was never assigned. */
  nextId(kind: CounterName): number {
    return Math.max(this.lastId(kind), this.skippedIds.get(kind) ?? 0) + 1;
  }

  /** Returns every kind that has ids. */
  get counterNames(): CounterName[] {
    return [...(Object.keys(this.tables) as TableName[]), 'groups', 'reports'];
  }

  lastId(kind: CounterName): number {
    return this.lastIds.get(kind) ?? 0;
  }

  groupId(projectId: number, fingerprint: string): number | undefined {
    return this.groups.find(projectId, fingerprint);
  }

  groupCount(projectId: number): number {
    return this.groups.sizes.groupsOf(projectId);
  }

  /** Size of the bodies of all stored reports. */
  get storedBytes(): number {
    return this.groups.sizes.storedBytes;
  }

  /** Returns the source maps of a project, oldest first. Returns the same array until one of them changes. */
  mapsOf(projectId: number): readonly SourceMapRecord[] {
    return this.tables.source_maps.of(projectId);
  }

  /** Returns the oldest path of each renamed file of a project. Returns the same map until a file is renamed. */
  renamesOf(projectId: number): ReadonlyMap<string, string> {
    const renames = this.tables.renames.of(projectId);
    const known = this.#oldestPaths.get(renames);
    if (known) return known;
    const oldest = new Map<string, string>();
    // The first entry wins: a group must not change its location because of a later release.
    for (const { files } of renames) for (const [path, first] of files) if (!oldest.has(path)) oldest.set(path, first);
    this.#oldestPaths.set(renames, oldest);
    return oldest;
  }

  storedResponse(projectId: number, eventId: string): StoredResponse | undefined {
    return this.responses.find(projectId, eventId);
  }

  /** Returns the number of reports of a team in a month. */
  errorsUsed(teamId: number, month: number): number {
    return this.usage.get(teamId, month).errors;
  }

  /** Returns the facets of a project that come from columns of its reports, each with the newest value first. */
  facets(projectId: number): ColumnFacets {
    const facets = this.#facets.get(projectId);
    return mapFacets((_facet, index) => facets?.[index]?.newestFirst() ?? []);
  }

  /** Applies one durable entry. `body` is the span of its report body in the batch. */
  apply(entry: Entry, position: number, body: BodySpan | null): void {
    switch (entry.kind) {
      case 'report':
        this.#applyReport(entry, body && { position, ...body });
        break;
      case 'opening':
        this.#applyOpening(entry, position, body);
        break;
      case 'put':
        this.#put(entry);
        break;
      case 'remove':
        this.#remove(entry);
        break;
      case 'group.status':
        if (!this.tables.merges.get(entry.id))
          this.#logGroupEvent(entry.status === 'resolved' ? 'group.resolved' : 'group.activated', entry.id);
        this.groups.setStatus(entry.id, entry.status, entry.at);
        break;
      case 'group.culprit':
        this.groups.change(entry.id, (group) => (group.culprit = entry.culprit));
        break;
      case 'group.remove':
        if (!this.tables.merges.get(entry.id)) this.#logGroupEvent('group.deleted', entry.id);
        this.#removeAliases(entry.id);
        this.groups.remove(entry.id);
        break;
      case 'groups':
        this.#addGroups(entry.packed);
        break;
      case 'moved':
        this.#moveStoredReport(entry, position, body);
        break;
      case 'answers':
        this.responses.unpack(entry.packed);
        break;
      case 'usage':
        this.usage.set(entry.team_id, entry.month, {
          errors: entry.errors,
          refused: entry.refused ?? 0,
          refusedSince: entry.refused_since ?? null,
          ai: entry.ai ?? 0,
        });
        break;
      case 'facets':
        this.#setFacets(entry);
        break;
      case 'expire':
        for (const id of entry.group_ids)
          this.groups.changeReportPointers(id, (reports) => reports.dropBefore(entry.before));
        break;
      case 'forget':
        this.groups.changeReportPointers(entry.group_id, (reports) => reports.remove(entry.id));
        break;
      case 'generation':
        break;
      case 'clock':
        this.groups.shiftTimes(entry);
        shiftRecords(this.tables, entry);
        this.usage.mergeAfter(monthOf(entry.until));
        break;
      case 'counters':
        for (const [kind, id] of Object.entries(entry.last_ids)) this.#countId(kind as CounterName, id);
        for (const [kind, id] of Object.entries(entry.skipped_ids ?? {})) this.skippedIds.set(kind as CounterName, id);
        this.groups.reserve(entry.groups);
        this.responses.reserve(Math.min(entry.answers, maxEventIds));
        break;
    }
  }

  #put<Name extends TableName>({ table, record }: { table: Name; record: Records[Name] }): void {
    const rows = this.tables[table] as Table<Records[Name]>;
    if (table === 'projects') this.#logProjectEvent(record as ProjectRecord);
    if (table === 'summaries') this.#logSummaryEvent(record as SummaryRecord);
    if (table === 'source_maps') this.#logMapEvent(record as SourceMapRecord);
    if (table === 'merges' && !rows.get(record.id)) this.#logGroupEvent('group.merged', record.id as number);
    rows.put(record);
    if (table === 'merges') this.groups.updateMerged(record.id as number);
    if (typeof record.id === 'number') this.#countId(table, record.id);
  }

  #remove<Name extends TableName>({ table, id }: { table: Name; id: Records[Name]['id'] }): void {
    if (table === 'projects') this.#removeProject(id as number);
    if (table === 'teams') this.usage.removeTeam(id as number);
    const rows = this.tables[table] as Table<Records[Name]>;
    const merge = table === 'merges' ? this.tables.merges.get(id as number) : undefined;
    rows.remove(id);
    if (!merge) return;
    this.#logGroupEvent('group.unmerged', merge.id);
    this.groups.updateMerged(merge.target_id);
    this.groups.updateMerged(merge.id);
  }

  #removeProject(projectId: number): void {
    const project = this.tables.projects.get(projectId);
    if (project) this.eventLog.addDeletedProject(this.batchNumber, project);
    for (const map of this.mapsOf(projectId)) this.tables.source_maps.remove(map.id);
    for (const alias of this.tables.adoptions.values())
      if (alias.project_id === projectId) this.tables.adoptions.remove(alias.id);
    for (const merge of this.tables.merges.withValue('project', String(projectId))) this.tables.merges.remove(merge.id);
    for (const table of ['renames', 'code_files', 'code_locations'] as const)
      for (const { id } of this.tables[table].of(projectId)) this.tables[table].remove(id);
    this.groups.removeProject(projectId);
    this.responses.forgetProject(projectId);
    this.#facets.delete(projectId);
  }

  /**
   * Removes the aliases of a group. They form a chain: each is found by the fingerprint of the previous one, and the
   * first by the original fingerprint of the group. The aliases with a prefix begin other chains.
   */
  #removeAliases(groupId: number): void {
    const { adoptions: aliases } = this.tables;
    const facts = this.groups.facts(groupId);
    if (!facts) return;
    for (const prefix of ['', unnamedPrefix, unmergedPrefix]) {
      let next = aliases.find(aliasId(facts.projectId, prefix + facts.fingerprint));
      while (next) {
        const { id } = next;
        aliases.remove(id);
        next = aliases.find(id);
      }
    }
  }

  /** Logs a new or changed project. An unchanged one, which a compaction has written again, is not an event. */
  #logProjectEvent(project: ProjectRecord): void {
    const known = this.tables.projects.get(project.id);
    if (!known) this.eventLog.add('project.created', this.batchNumber, project.id);
    else if (known.name !== project.name || known.api_key !== project.api_key)
      this.eventLog.add('project.updated', this.batchNumber, project.id);
  }

  /**
   * Logs a new source map as an event of its project, because it may resolve stacks. A new time of use is not an event.
   */
  #logMapEvent({ id, project_id, hash, created_at }: SourceMapRecord): void {
    const known = this.tables.source_maps.get(id);
    if (!known || known.hash !== hash || known.created_at !== created_at)
      this.eventLog.add('project.updated', this.batchNumber, project_id);
  }

  #logSummaryEvent({ id, project_id, status }: SummaryRecord): void {
    if (this.tables.summaries.get(id)?.status !== status)
      this.eventLog.add('summary.updated', this.batchNumber, project_id, id);
  }

  #logGroupEvent(what: EventKind, id: number): void {
    const group = this.groups.snapshot(id);
    if (group) this.eventLog.add(what, this.batchNumber, group.projectId, id);
  }

  #applyReport(entry: ReportEntry, stored: StoredBody | null): void {
    this.#count(entry);
    this.#addFacetsOfReport(entry);
    const targetId = this.groups.merged.targetId(entry.group_id);
    if (entry.reopens) this.#logGroupEvent('group.reopened', targetId);
    const ownFingerprint = this.#addToGroup(entry, stored);
    const isMerged = targetId !== entry.group_id;
    if (isMerged && entry.reopens) this.groups.change(targetId, (group) => group.reopen(entry.at));
    const fingerprint = isMerged ? (this.groups.facts(targetId)?.fingerprint ?? unknownFingerprint) : ownFingerprint;
    const eventId = entry.values[columnIndex.event_id] ?? null;
    if (eventId === null) return;
    this.responses.add(entry.project_id, eventId, entry.at, {
      error_group_id: targetId,
      fingerprint,
      is_new_group: false,
    });
  }

  #applyOpening(entry: OpeningEntry, position: number, body: BodySpan | null): void {
    this.#count(entry);
    const { at, project_id, group_id, event, fingerprint, facetValues } = entry;
    this.#addFacetValues(project_id, facetValues);
    const isStoredWhole = body !== null && this.#retentionReports > 0;
    this.groups.open(entry, isStoredWhole ? storedPointer(entry, position, body) : null);
    this.eventLog.add('group.created', this.batchNumber, project_id, group_id);
    if (event !== null) this.responses.addOpening(project_id, event, at, group_id, fingerprint);
  }

  #count(entry: ReportEntry | OpeningEntry): void {
    this.#countId('reports', entry.id);
    this.#countId('groups', entry.group_id);
    this.#countUsage(entry);
  }

  /**
   * Counts a report in its group and returns the fingerprint of the group. The group is unknown if the log begins after
   * it was opened. Then a later entry contains its state, with this report counted, and another one its fingerprint.
   */
  #addToGroup(entry: ReportEntry, stored: StoredBody | null): string {
    let fingerprint = unknownFingerprint;
    this.groups.change(entry.group_id, (group) => {
      group.add(entry, stored, this.#retentionReports);
      ({ fingerprint } = group);
    });
    return fingerprint;
  }

  #addGroups(packed: Uint8Array): void {
    const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
    const reader = new BytesReader();
    reader.open(bytes, 0, bytes.length);
    while (!reader.isAtEnd) this.groups.addPacked(bytes, reader);
  }

  #moveStoredReport(entry: MovedReportEntry, position: number, body: BodySpan | null): void {
    if (body)
      this.groups.moveStoredReport(entry.group_id, storedPointer(entry, position, body), this.#retentionReports);
  }

  #countId(kind: CounterName, id: number): void {
    if (id > this.lastId(kind)) this.lastIds.set(kind, id);
  }

  #countUsage(entry: ReportEntry | OpeningEntry): void {
    const teamId = this.tables.projects.get(entry.project_id)?.team_id;
    if (teamId === undefined) return;
    this.usage.countError(teamId, monthOf(entry.at));
  }

  /** Runs for every report, so it reads the columns directly and allocates no list of the facets' values. */
  #addFacetsOfReport({ project_id, values }: ReportEntry): void {
    const facets = this.#facetsOf(project_id);
    for (let facet = 0; facet < facets.length; facet++) {
      const value = values[facetColumns[facet]?.index ?? 0] ?? null;
      if (value !== null) facets[facet]?.add(value);
    }
  }

  /** `values` has one value for each facet, in the order of `facetColumns`. */
  #addFacetValues(projectId: number, values: readonly (string | null)[]): void {
    const facets = this.#facetsOf(projectId);
    for (let index = 0; index < facets.length; index++) {
      const value = values[index] ?? null;
      if (value !== null) facets[index]?.add(value);
    }
  }

  #facetsOf(projectId: number): readonly RecentValues[] {
    let facets = this.#facets.get(projectId);
    if (!facets) {
      facets = facetColumns.map(() => new RecentValues(maxFacetValues));
      this.#facets.set(projectId, facets);
    }
    return facets;
  }

  #setFacets(entry: FacetsEntry): void {
    this.#facets.delete(entry.project_id);
    const facets = this.#facetsOf(entry.project_id);
    facetColumns.forEach(({ facet }, index) => {
      for (const value of entry[facet] ?? []) facets[index]?.add(value);
    });
  }
}

/** The location of a stored report in the log. */
type StoredBody = BodySpan & { position: number };

function storedPointer(
  { id, at }: OpeningEntry | MovedReportEntry,
  position: number,
  { offset, length }: BodySpan,
): LogPointer {
  return { id, at, position, offset, length };
}

const unknownFingerprint = '0'.repeat(32);
