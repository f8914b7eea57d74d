import {
  tagNames,
  type ErrorGroup,
  type GroupStatus,
  type Grouping,
  type Level,
  type TagCount,
  type TagName,
} from '@service/protocol';
import { DistinctCount } from './distinct-count.ts';
import type { ReportEntry } from './entry.ts';
import { KeptReports, type KeptPlace } from './kept-reports.ts';
import { RecentCounts } from './recent-counts.ts';
import { TopValues } from './top-values.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const shownTagValues = 10;
const shownEnvironments = 20;

/** What is known of a group: a fold over its reports and status changes. */
export class GroupState {
  readonly id: number;
  readonly projectId: number;
  readonly fingerprint: string;
  readonly grouping: Grouping;
  readonly firstSeenAt: number;
  readonly firstRelease: string | null;
  readonly kept = new KeptReports();

  status: GroupStatus = 'active';
  type: string | null = null;
  message = '';
  culprit: string | null = null;
  level: Level = 'error';
  count = 0;
  lastSeenAt = 0;
  lastRelease: string | null = null;
  resolvedAt: number | null = null;
  reopenedAt: number | null = null;
  reopenCount = 0;

  readonly #users = new DistinctCount();
  readonly #tags: Record<TagName, TopValues> = {
    environment: new TopValues(),
    release: new TopValues(),
    browser: new TopValues(),
    os: new TopValues(),
    url: new TopValues(),
  };
  readonly #hours = new RecentCounts(hourMs, 24);
  readonly #days = new RecentCounts(dayMs, 30);
  #url: string | null = null;
  #searchText: string | null = null;

  constructor(opening: ReportEntry, { fingerprint, grouping }: { fingerprint: string; grouping: Grouping }) {
    this.id = opening.group_id;
    this.projectId = opening.project_id;
    this.fingerprint = fingerprint;
    this.grouping = grouping;
    this.firstSeenAt = opening.at;
    this.firstRelease = opening.release;
  }

  get users(): number {
    return this.#users.size;
  }

  /** Counts a report. What the group shows of itself is that of its latest one. */
  add(report: ReportEntry, place: Omit<KeptPlace, 'id' | 'at'> | null, retentionReports: number): void {
    this.count++;
    this.lastSeenAt = Math.max(this.lastSeenAt, report.at);
    this.type = report.type;
    this.message = report.message;
    this.culprit = report.culprit;
    this.level = report.level;
    this.lastRelease = report.release ?? this.lastRelease;
    this.#url = report.url ?? this.#url;
    this.#searchText = null;
    if (report.reopens) {
      this.status = 'active';
      this.resolvedAt = null;
      this.reopenedAt = report.at;
      this.reopenCount++;
    }
    if (report.user_id !== null) this.#users.add(report.user_id);
    for (const name of tagNames) {
      const value = report[name];
      if (value !== null) this.#tags[name].add(value);
    }
    this.#hours.add(report.at);
    this.#days.add(report.at);
    if (place) this.kept.add({ id: report.id, at: report.at, ...place }, retentionReports);
  }

  setStatus(status: GroupStatus, at: number): void {
    this.status = status;
    this.resolvedAt = status === 'resolved' ? at : null;
  }

  /** Whether any report of the group had this value. */
  hasTag(name: TagName, value: string): boolean {
    return this.#tags[name].has(value);
  }

  /** Lower-cased text that a search looks through. */
  searchText(): string {
    this.#searchText ??= [this.type, this.message, this.culprit, this.firstRelease, this.lastRelease, this.#url]
      .filter((text) => text !== null)
      .join('\n')
      .toLowerCase();
    return this.#searchText;
  }

  /** The group as lists show it. */
  toRecord(now: number): ErrorGroup {
    return {
      error_group_id: this.id,
      project_id: this.projectId,
      fingerprint: this.fingerprint,
      status: this.status,
      type: this.type,
      message: this.message,
      culprit: this.culprit,
      level: this.level,
      count: this.count,
      users: this.users,
      first_seen: new Date(this.firstSeenAt).toISOString(),
      last_seen: new Date(this.lastSeenAt).toISOString(),
      resolved_at: isoOrNull(this.resolvedAt),
      reopened_at: isoOrNull(this.reopenedAt),
      reopen_count: this.reopenCount,
      environments: this.#tags.environment.top(shownEnvironments).map(({ value }) => value),
      first_release: this.firstRelease,
      last_release: this.lastRelease,
      trend: this.#hours.until(now),
    };
  }

  daily(now: number): number[] {
    return this.#days.until(now);
  }

  /** The most frequent values of each tag. */
  topTags(): Record<TagName, TagCount[]> {
    const top = (name: TagName): TagCount[] => this.#tags[name].top(shownTagValues);
    return {
      environment: top('environment'),
      release: top('release'),
      browser: top('browser'),
      os: top('os'),
      url: top('url'),
    };
  }
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
