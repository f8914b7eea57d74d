import {
  type ErrorGroup,
  type GroupStatus,
  type Grouping,
  type Level,
  type TagCount,
  type TagName,
} from '@service/protocol';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import { DistinctCount } from './distinct-count.ts';
import { levels, type ReportEntry } from '../records/entry.ts';
import { StoredReports, type LogPointer } from './stored-reports.ts';
import { RecentCounts } from './recent-counts.ts';
import { TopValues } from './top-values.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const shownTagValues = 10;
const shownEnvironments = 20;

/** What a group is called, and what lists sort and filter by: the part of it that stands in columns. */
export interface GroupFacts {
  id: number;
  projectId: number;
  fingerprint: string;
  status: GroupStatus;
  count: number;
  firstSeenAt: number;
  lastSeenAt: number;
}

/** What lists show of a group beside its facts. */
interface GroupTexts {
  type: string | null;
  message: string;
  culprit: string | null;
  level: Level;
  firstRelease: string | null;
  lastRelease: string | null;
  resolvedAt: number | null;
  reopenedAt: number | null;
  reopenCount: number;
}

/** What is known of a group: a fold over its reports and status changes. */
export class GroupState implements GroupFacts, GroupTexts {
  readonly id: number;
  readonly projectId: number;
  readonly fingerprint: string;
  readonly firstSeenAt: number;
  readonly kept = new StoredReports();

  status: GroupStatus;
  count: number;
  lastSeenAt: number;
  grouping: Grouping = { version: 0, rule: '', components: [] };
  type: string | null = null;
  message = '';
  culprit: string | null = null;
  level: Level = 'error';
  firstRelease: string | null = null;
  lastRelease: string | null = null;
  resolvedAt: number | null = null;
  reopenedAt: number | null = null;
  reopenCount = 0;

  #users = new DistinctCount();
  #environments = new TopValues();
  #releases = new TopValues();
  #browsers = new TopValues();
  #systems = new TopValues();
  #urls = new TopValues();
  readonly #hours = recentHours();
  readonly #days = new RecentCounts(dayMs, 30);
  #url: string | null = null;

  private constructor(facts: GroupFacts) {
    this.id = facts.id;
    this.projectId = facts.projectId;
    this.fingerprint = facts.fingerprint;
    this.status = facts.status;
    this.count = facts.count;
    this.firstSeenAt = facts.firstSeenAt;
    this.lastSeenAt = facts.lastSeenAt;
  }

  get users(): number {
    return this.#users.size;
  }

  /** Counts a report. What the group shows of itself is that of its latest one. */
  add(report: ReportEntry, place: Omit<LogPointer, 'id' | 'at'> | null, retentionReports: number): void {
    this.count++;
    this.lastSeenAt = Math.max(this.lastSeenAt, report.at);
    // Mostly they are the same: to leave the old text in its place spares moving the new one to where things live long.
    if (this.type !== report.type) this.type = report.type;
    if (this.message !== report.message) this.message = report.message;
    if (this.culprit !== report.culprit) this.culprit = report.culprit;
    this.level = report.level;
    if (report.release !== null && this.lastRelease !== report.release) this.lastRelease = report.release;
    this.#url = report.url ?? this.#url;
    if (report.reopens) {
      this.status = 'active';
      this.resolvedAt = null;
      this.reopenedAt = report.at;
      this.reopenCount++;
    }
    if (report.user_id !== null) this.#users.add(report.user_id);
    if (report.environment !== null) this.#environments.add(report.environment);
    if (report.release !== null) this.#releases.add(report.release);
    if (report.browser !== null) this.#browsers.add(report.browser);
    if (report.os !== null) this.#systems.add(report.os);
    if (report.url !== null) this.#urls.add(report.url);
    this.#hours.add(report.at);
    this.#days.add(report.at);
    if (place) {
      const { position, offset, length } = place;
      this.kept.add({ id: report.id, at: report.at, position, offset, length }, retentionReports);
    }
  }

  setStatus(status: GroupStatus, at: number): void {
    this.status = status;
    this.resolvedAt = status === 'resolved' ? at : null;
  }

  /** Whether any report of the group had this value. */
  hasTag(name: FilterTag, value: string): boolean {
    return (name === 'environment' ? this.#environments : this.#releases).has(value);
  }

  /** Lower-cased text that a search looks through. */
  searchText(): string {
    return [this.type, this.message, this.culprit, this.firstRelease, this.lastRelease, this.#url]
      .filter((text) => text !== null)
      .join('\n')
      .toLowerCase();
  }

  /** The group as lists show it. */
  toRecord(now: number): ErrorGroup {
    return recordOf(this, this, this.users, this.#environments, this.#hours, now);
  }

  daily(now: number): number[] {
    return this.#days.until(now);
  }

  /** The most frequent values of each tag. */
  topTags(): Record<TagName, TagCount[]> {
    return {
      environment: this.#environments.top(shownTagValues),
      release: this.#releases.top(shownTagValues),
      browser: this.#browsers.top(shownTagValues),
      os: this.#systems.top(shownTagValues),
      url: this.#urls.top(shownTagValues),
    };
  }

  /**
   * Writes all but the facts and the kept reports. The tags that lists filter by come first, so that a filter
   * need not read on.
   */
  pack(to: BytesWriter): void {
    this.#environments.pack(to, true);
    this.#releases.pack(to, true);
    to.uint(levels.indexOf(this.level));
    to.uint(this.resolvedAt === null ? 0 : this.resolvedAt + 1);
    to.uint(this.reopenedAt === null ? 0 : this.reopenedAt + 1);
    to.uint(this.reopenCount);
    to.text(this.type);
    to.text(this.message);
    to.text(this.culprit);
    to.text(this.firstRelease);
    to.text(this.lastRelease);
    to.text(this.#url);
    packGrouping(this.grouping, to);
    this.#browsers.pack(to);
    this.#systems.pack(to);
    this.#urls.pack(to);
    this.#hours.pack(to);
    this.#days.pack(to);
    this.#users.pack(to);
  }

  static unpack(facts: GroupFacts, from: BytesReader): GroupState {
    const group = new GroupState(facts);
    group.#environments = TopValues.unpack(from);
    group.#releases = TopValues.unpack(from);
    ({
      level: group.level,
      resolvedAt: group.resolvedAt,
      reopenedAt: group.reopenedAt,
      reopenCount: group.reopenCount,
      type: group.type,
      message: group.message,
      culprit: group.culprit,
      firstRelease: group.firstRelease,
      lastRelease: group.lastRelease,
    } = readTexts(from));
    group.#url = from.text();
    const version = from.uint();
    const rule = from.text() ?? '';
    const components = Array.from({ length: from.uint() }, () => from.text() ?? '');
    group.grouping = { version, rule, components };
    group.#browsers = TopValues.unpack(from);
    group.#systems = TopValues.unpack(from);
    group.#urls = TopValues.unpack(from);
    group.#hours.unpack(from);
    group.#days.unpack(from);
    group.#users = DistinctCount.unpack(from);
    return group;
  }
}

/**
 * Writes a group that a report opens, as `pack` would with that report counted. Groups are born packed: most of
 * them stay quiet, and a start reads many.
 */
export function packOpening(report: ReportEntry, { grouping }: { grouping: Grouping }, to: BytesWriter): void {
  TopValues.packOne(report.environment, to, true);
  TopValues.packOne(report.release, to, true);
  to.uint(levels.indexOf(report.level));
  to.uint(0);
  to.uint(0);
  to.uint(0);
  to.text(report.type);
  to.text(report.message);
  to.text(report.culprit);
  to.text(report.release);
  to.text(report.release);
  to.text(report.url);
  packGrouping(grouping, to);
  TopValues.packOne(report.browser, to);
  TopValues.packOne(report.os, to);
  TopValues.packOne(report.url, to);
  RecentCounts.packOne(report.at, hourMs, to);
  RecentCounts.packOne(report.at, dayMs, to);
  DistinctCount.packOne(report.user_id, to);
}

/** Looks for a tag's value in a packed group, without opening it. `value` as `plainText` writes it. */
export function packedHasTag(group: BytesReader, name: FilterTag, value: Buffer): boolean {
  for (const tag of filterTags) {
    const values = group.uint();
    for (let index = 0; index < values; index++) {
      if (tag === name && group.isNext(value)) return true;
      group.skipText();
      group.uint();
    }
    if (tag === name) return false;
  }
  return false;
}

/** A packed group as lists show it. What they do not show is not unpacked. */
export function packedRecord(facts: GroupFacts, users: number, group: BytesReader, now: number): ErrorGroup {
  const environments = TopValues.unpack(group);
  // Texts that follow may refer to those of the releases.
  TopValues.unpack(group);
  const texts = readTexts(group);
  group.skipText();
  skipGrouping(group);
  for (let tags = 3; tags > 0; tags--) TopValues.skip(group);
  const hours = recentHours();
  hours.unpack(group);
  return recordOf(facts, texts, users, environments, hours, now);
}

/** Copies a packed group that has become resolved, or active, without opening it. */
export function repackResolvedAt(group: BytesReader, resolvedAt: number | null, to: BytesWriter): void {
  const start = group.at;
  for (let tags = filterTags.length; tags > 0; tags--) TopValues.skip(group);
  // The level.
  group.uint();
  to.raw(group.bytes, start, group.at);
  group.uint();
  to.uint(resolvedAt === null ? 0 : resolvedAt + 1);
  to.raw(group.bytes, group.at, group.end);
}

function packGrouping({ version, rule, components }: Grouping, to: BytesWriter): void {
  to.uint(version);
  to.text(rule);
  to.uint(components.length);
  for (const component of components) to.text(component);
}

function skipGrouping(from: BytesReader): void {
  from.uint();
  from.skipText();
  for (let components = from.uint(); components > 0; components--) from.skipText();
}

function readTexts(from: BytesReader): GroupTexts {
  return {
    level: levels[from.uint()] ?? 'error',
    resolvedAt: timeOrNull(from.uint()),
    reopenedAt: timeOrNull(from.uint()),
    reopenCount: from.uint(),
    type: from.text(),
    message: from.text() ?? '',
    culprit: from.text(),
    firstRelease: from.text(),
    lastRelease: from.text(),
  };
}

function recordOf(
  facts: GroupFacts,
  texts: GroupTexts,
  users: number,
  environments: TopValues,
  hours: RecentCounts,
  now: number,
): ErrorGroup {
  return {
    error_group_id: facts.id,
    project_id: facts.projectId,
    fingerprint: facts.fingerprint,
    status: facts.status,
    type: texts.type,
    message: texts.message,
    culprit: texts.culprit,
    level: texts.level,
    count: facts.count,
    users,
    first_seen: new Date(facts.firstSeenAt).toISOString(),
    last_seen: new Date(facts.lastSeenAt).toISOString(),
    resolved_at: isoOrNull(texts.resolvedAt),
    reopened_at: isoOrNull(texts.reopenedAt),
    reopen_count: texts.reopenCount,
    environments: environments.top(shownEnvironments).map(({ value }) => value),
    first_release: texts.firstRelease,
    last_release: texts.lastRelease,
    trend: hours.until(now),
  };
}

function recentHours(): RecentCounts {
  return new RecentCounts(hourMs, 24);
}

/** The tags that lists filter by, in the order in which they are packed. */
export const filterTags = ['environment', 'release'] as const;
export type FilterTag = (typeof filterTags)[number];

function timeOrNull(packed: number): number | null {
  return packed === 0 ? null : packed - 1;
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
