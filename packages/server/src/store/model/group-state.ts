import { ErrorGroup, type GroupDetails, type GroupStatus, type TagCount } from '@service/protocol';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import type { ReportEntry } from '../records/entry.ts';
import type { CountedTag, DetailField, FactColumn } from '../records/columns-and-fields.ts';
import { recordShape } from '../records/record-shape.ts';
import {
  addToValues,
  combineValues,
  packValues,
  shiftValues,
  storedField,
  storedFields,
  fieldValue,
  type GroupValues,
} from './group-values.ts';
import type { ValueFilter } from './value-filters.ts';
import { fieldsReader, shownFieldsReader, unpackValues } from './packed-fields.ts';
import { ReportPointers } from './report-pointers.ts';
import type { LogPointer } from './log-pointer.ts';
import { shiftTime, type TimeShift } from '../records/time-shift.ts';
import { TagCounts } from '../structures/tag-counts.ts';
import type { TopValues } from '../structures/top-values.ts';

const shownTagValues = 10;

/** The facts of a group that `GroupColumns` stores: its keys, and the values that lists sort by. */
export interface GroupFacts {
  id: number;
  projectId: number;
  fingerprint: string;
  status: GroupStatus;
  count: number;
  firstSeenAt: number;
  lastSeenAt: number;
}

/** A group in memory: the result of its reports and status changes. */
export class GroupState implements GroupFacts {
  readonly id: number;
  readonly projectId: number;
  readonly fingerprint: string;
  firstSeenAt: number;
  readonly reportPointers = new ReportPointers();
  /** The values of `groupFields`. */
  readonly #values: GroupValues;

  status: GroupStatus;
  count: number;
  lastSeenAt: number;

  private constructor(facts: GroupFacts, values: GroupValues) {
    this.id = facts.id;
    this.projectId = facts.projectId;
    this.fingerprint = facts.fingerprint;
    this.status = facts.status;
    this.count = facts.count;
    this.firstSeenAt = facts.firstSeenAt;
    this.lastSeenAt = facts.lastSeenAt;
    this.#values = values;
  }

  get users(): number {
    return fieldValue(this.#values, usersField).size;
  }

  get culprit(): string | null {
    return fieldValue(this.#values, culpritField);
  }

  set culprit(value: string | null) {
    this.#values[culpritField.index] = value;
  }

  /** The version of the grouping rules with which the group was opened. */
  get groupingVersion(): number {
    return fieldValue(this.#values, openedByField).version;
  }

  get lastRelease(): string | null {
    return fieldValue(this.#values, lastReleaseField);
  }

  /** Counts a report. The group shows the values of its latest one. */
  add(report: ReportEntry, stored: Omit<LogPointer, 'id' | 'at'> | null, retentionReports: number): void {
    this.count++;
    this.lastSeenAt = Math.max(this.lastSeenAt, report.at);
    addToValues(this.#values, report);
    if (this.status === 'resolved') this.reopen(report.at);
    if (stored) {
      const { position, offset, length } = stored;
      this.reportPointers.add({ id: report.id, at: report.at, position, offset, length }, retentionReports);
    }
  }

  /** Makes a resolved group active because of a report. */
  reopen(at: number): void {
    this.setStatus('active', at);
    this.#values[reopenedAtField.index] = at;
    this.#values[reopenCountField.index] = fieldValue(this.#values, reopenCountField) + 1;
  }

  setStatus(status: GroupStatus, at: number): void {
    this.status = status;
    this.#values[resolvedAtField.index] = status === 'resolved' ? at : null;
  }

  /** Corrects all times: see `TimeShift`. */
  shiftTimes(shift: TimeShift): void {
    this.firstSeenAt = shiftTime(this.firstSeenAt, shift);
    this.lastSeenAt = shiftTime(this.lastSeenAt, shift);
    shiftValues(this.#values, shift);
    this.reportPointers.shiftTimes(shift);
  }

  matches(filter: ValueFilter, value: string): boolean {
    return filter.matches(this.#values, value);
  }

  /** Returns the text that a search reads, in lower case. */
  searchText(): string {
    return searchTextOf(this.#values);
  }

  /** Returns the group as lists show it. */
  toRecord(now: number): ErrorGroup {
    const record = recordOf(this, this.users);
    for (const { name, index, show } of listedFields) record[name] = show(this.#values[index], now);
    return record as ErrorGroup;
  }

  /** Returns the fields that only the details show. */
  toDetails(now: number): Pick<GroupDetails, DetailField> {
    const shown = detailFields.map(({ name, index, show }) => [name, show(this.#values[index], now)]);
    return Object.fromEntries(shown) as Pick<GroupDetails, DetailField>;
  }

  /** Returns the most frequent values of each tag. */
  topTags(): Record<CountedTag, TagCount[]> {
    const tags = tagFields.map(({ tag, index }) => [tag, (this.#values[index] as TopValues).top(shownTagValues)]);
    return Object.fromEntries(tags) as Record<CountedTag, TagCount[]>;
  }

  /** Returns for each tag how many reports had a value that `topTags` does not return. */
  otherTags(): Record<CountedTag, number> {
    const others = tagFields.map(({ tag, index }) => [tag, (this.#values[index] as TopValues).other(shownTagValues)]);
    return Object.fromEntries(others) as Record<CountedTag, number>;
  }

  /** Returns the tags that the reports were sent with. */
  get customTags(): TagCounts {
    return fieldValue(this.#values, customTagsField);
  }

  /** Writes the values of `groupFields`. */
  pack(to: BytesWriter): void {
    packValues(this.#values, to);
  }

  /** Returns a copy of a group with the reports of the groups that are merged into it. */
  static combine(target: GroupState, merged: readonly GroupState[]): GroupState {
    const all = [target, ...merged];
    const facts = { ...ownFactsOf(target), ...sumOfFacts(all) };
    const combined = new GroupState(facts, combineValues(datedValues(target), merged.map(datedValues)));
    for (const { reportPointers } of all) combined.reportPointers.addAll(reportPointers);
    return combined;

    function datedValues(group: GroupState): Parameters<typeof combineValues>[0] {
      return { values: group.#values, firstSeenAt: group.firstSeenAt, lastSeenAt: group.lastSeenAt };
    }
  }

  static unpack(facts: GroupFacts, from: BytesReader): GroupState {
    return new GroupState(facts, unpackValues(from));
  }
}

function ownFactsOf({ id, projectId, fingerprint, status, count, firstSeenAt, lastSeenAt }: GroupState): GroupFacts {
  return { id, projectId, fingerprint, status, count, firstSeenAt, lastSeenAt };
}

/** Returns the count and the times of several groups together. */
export function sumOfFacts(
  groups: readonly Pick<GroupFacts, 'count' | 'firstSeenAt' | 'lastSeenAt'>[],
): Pick<GroupFacts, 'count' | 'firstSeenAt' | 'lastSeenAt'> {
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    firstSeenAt: Math.min(...groups.map(({ firstSeenAt }) => firstSeenAt)),
    lastSeenAt: Math.max(...groups.map(({ lastSeenAt }) => lastSeenAt)),
  };
}

/** Reads a packed group as lists show it. Fields that they do not show are not unpacked. */
export function packedRecord(facts: GroupFacts, users: number, group: BytesReader, now: number): ErrorGroup {
  const record = recordOf(facts, users);
  readListed(group, record, now);
  return record as ErrorGroup;
}

/** Reads the text that a search reads from a packed group, in lower case. */
export function packedSearchText(group: BytesReader): string {
  return searchTextOf(readSearched(group));
}

/** Reads the tags of a packed group. Their texts refer to no earlier ones, so what precedes them is skipped. */
export function packedCustomTags(group: BytesReader): TagCounts {
  for (const field of beforeCustomTags) field.skip(group);
  return group.isAtEnd ? new TagCounts() : TagCounts.unpack(group);
}

const culpritField = storedField('culprit');
const openedByField = storedField('grouping');
const lastReleaseField = storedField('last_release');
const resolvedAtField = storedField('resolved_at');
const reopenedAtField = storedField('reopened_at');
const reopenCountField = storedField('reopen_count');
const usersField = storedField('users');
const customTagsField = storedField('custom_tags');
const beforeCustomTags = storedFields.slice(0, customTagsField.index);

const listedFields = storedFields.filter(({ field }) => field.shown === 'list');
const detailFields = storedFields.filter(({ field }) => field.shown === 'details');
const tagFields = storedFields.flatMap(({ field, index }) =>
  field.kind === 'counts' && field.tag !== undefined ? { tag: field.tag, index } : [],
);
const searchedFields = storedFields.filter(({ field }) => field.search);

const readListed = shownFieldsReader(listedFields);
const readSearched = fieldsReader(searchedFields);

function searchTextOf(values: GroupValues): string {
  return searchedFields
    .map(({ index }) => values[index])
    .filter((text) => text !== null)
    .join('\n')
    .toLowerCase();
}

const noRecord = recordShape(Object.keys(ErrorGroup.shape));

function recordOf(facts: GroupFacts, users: number): Record<string, unknown> {
  const record: Pick<ErrorGroup, FactColumn> = {
    ...noRecord,
    error_group_id: facts.id,
    project_id: facts.projectId,
    fingerprint: facts.fingerprint,
    status: facts.status,
    count: facts.count,
    users,
    first_seen: new Date(facts.firstSeenAt).toISOString(),
    last_seen: new Date(facts.lastSeenAt).toISOString(),
  };
  return record;
}
