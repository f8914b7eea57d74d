import { limits, type Facets } from '@service/protocol';
import type { BodySpan, Entry, ReportEntry } from './entry.ts';
import { FirstAnswers, type FirstAnswer } from './first-answers.ts';
import { GroupState } from './group-state.ts';
import { monthOf } from './month.ts';
import { createTables, type Records, type SourceMapRecord, type TableName } from './records.ts';
import type { Table } from './table.ts';

export type CounterName = TableName | 'groups' | 'reports';

/** Everything that is remembered, in memory: a fold over the log. It changes only by `fold`. */
export class Model {
  readonly tables = createTables();
  readonly groups = new Map<number, GroupState>();
  /** Numbers of the newest batch, and of the last id of each kind: ids are never reused. */
  batchNumber = 0;
  readonly lastIds = new Map<CounterName, number>();

  readonly #retentionReports: number;
  readonly #groupIds = new Map<number, Map<string, number>>();
  readonly #answers = new FirstAnswers(limits.eventIds);
  readonly #usage = new Map<number, { month: number; errors: number }>();
  readonly #facets = new Map<number, Record<keyof Facets, Set<string>>>();
  readonly #mapsOfProjects = new Map<number, { version: number; maps: SourceMapRecord[] }>();

  constructor(retentionReports: number) {
    this.#retentionReports = retentionReports;
  }

  lastId(kind: CounterName): number {
    return this.lastIds.get(kind) ?? 0;
  }

  groupId(projectId: number, fingerprint: string): number | undefined {
    return this.#groupIds.get(projectId)?.get(fingerprint);
  }

  groupCount(projectId: number): number {
    return this.#groupIds.get(projectId)?.size ?? 0;
  }

  *groupsOf(projectIds: Iterable<number>): Generator<GroupState> {
    for (const projectId of projectIds) {
      for (const id of this.#groupIds.get(projectId)?.values() ?? []) {
        const group = this.groups.get(id);
        if (group) yield group;
      }
    }
  }

  /** The maps of a project, oldest first: the same array until one changes. */
  mapsOf(projectId: number): readonly SourceMapRecord[] {
    const { version } = this.tables.source_maps;
    const known = this.#mapsOfProjects.get(projectId);
    if (known?.version === version) return known.maps;
    const maps = [...this.tables.source_maps.values()].filter((map) => map.project_id === projectId);
    this.#mapsOfProjects.set(projectId, { version, maps });
    return maps;
  }

  firstAnswer(projectId: number, eventId: string): FirstAnswer | undefined {
    return this.#answers.find(projectId, eventId);
  }

  /** Reports of a team counted in a month. */
  errorsUsed(teamId: number, month: number): number {
    const usage = this.#usage.get(teamId);
    return usage?.month === month ? usage.errors : 0;
  }

  /** Newest first. */
  facets(projectId: number): Facets {
    const facets = this.#facets.get(projectId);
    return { environments: newestFirst(facets?.environments), releases: newestFirst(facets?.releases) };
  }

  /** Takes one durable entry in. `body` tells where its report stands in the log. */
  fold(entry: Entry, position: number, body: BodySpan | null): void {
    switch (entry.kind) {
      case 'put':
        this.#put(entry);
        break;
      case 'remove':
        this.#remove(entry);
        break;
      case 'report':
        this.#foldReport(entry, body && { position, ...body });
        break;
      case 'group.status':
        this.groups.get(entry.id)?.setStatus(entry.status, entry.at);
        break;
      case 'group.remove':
        this.#removeGroup(entry.id);
        break;
    }
  }

  #put<Name extends TableName>({ table, record }: { table: Name; record: Records[Name] }): void {
    const rows = this.tables[table] as Table<Records[Name]>;
    rows.put(record);
    if (typeof record.id === 'number') this.#countId(table, record.id);
  }

  #remove<Name extends TableName>({ table, id }: { table: Name; id: Records[Name]['id'] }): void {
    if (table === 'projects') this.#forgetProject(id as number);
    const rows = this.tables[table] as Table<Records[Name]>;
    rows.remove(id);
  }

  #forgetProject(projectId: number): void {
    for (const map of this.mapsOf(projectId)) this.tables.source_maps.remove(map.id);
    for (const id of this.#groupIds.get(projectId)?.values() ?? []) this.groups.delete(id);
    this.#answers.forgetProject(projectId);
    this.#groupIds.delete(projectId);
    this.#facets.delete(projectId);
    this.#mapsOfProjects.delete(projectId);
  }

  #foldReport(entry: ReportEntry, place: (BodySpan & { position: number }) | null): void {
    this.#countId('reports', entry.id);
    this.#countId('groups', entry.group_id);
    let group = this.groups.get(entry.group_id);
    if (!group && entry.opens) {
      group = new GroupState(entry, entry.opens);
      this.groups.set(group.id, group);
      this.#groupIdsOf(entry.project_id).set(group.fingerprint, group.id);
    }
    if (!group) return;
    group.add(entry, place, this.#retentionReports);
    this.#countUsage(entry);
    this.#noteFacets(entry);
    if (entry.event_id !== null) this.#rememberAnswer(entry, entry.event_id, group.fingerprint);
  }

  #removeGroup(id: number): void {
    const group = this.groups.get(id);
    if (!group) return;
    this.groups.delete(id);
    this.#groupIds.get(group.projectId)?.delete(group.fingerprint);
  }

  #groupIdsOf(projectId: number): Map<string, number> {
    let ids = this.#groupIds.get(projectId);
    if (!ids) this.#groupIds.set(projectId, (ids = new Map()));
    return ids;
  }

  #countId(kind: CounterName, id: number): void {
    if (id > this.lastId(kind)) this.lastIds.set(kind, id);
  }

  #countUsage(entry: ReportEntry): void {
    const teamId = this.tables.projects.get(entry.project_id)?.team_id;
    if (teamId === undefined) return;
    const month = monthOf(entry.at);
    this.#usage.set(teamId, { month, errors: this.errorsUsed(teamId, month) + 1 });
  }

  #noteFacets(entry: ReportEntry): void {
    let facets = this.#facets.get(entry.project_id);
    if (!facets) this.#facets.set(entry.project_id, (facets = { environments: new Set(), releases: new Set() }));
    moveToEnd(facets.environments, entry.environment);
    moveToEnd(facets.releases, entry.release);
  }

  #rememberAnswer(entry: ReportEntry, eventId: string, fingerprint: string): void {
    this.#answers.add(entry.project_id, eventId, entry.at, {
      error_group_id: entry.group_id,
      fingerprint,
      is_new_group: entry.opens !== null,
    });
  }
}

function newestFirst(values: Set<string> | undefined): string[] {
  return [...(values ?? [])].toReversed();
}

function moveToEnd(values: Set<string>, value: string | null): void {
  if (value === null) return;
  values.delete(value);
  values.add(value);
  if (values.size > limits.facets) {
    for (const oldest of values) {
      values.delete(oldest);
      break;
    }
  }
}
