import type { ErrorGroup, GroupDetails, GroupQuery, TagName } from '@service/protocol';
import type { ColumnName, OptionalTextColumn, ReportValues } from './report-columns.ts';

/*
 * The fields of a group, each described once. Packed groups, lists, list filters, tags and searches are derived from this
 * table.
 *
 * Their order is the order on disk. New rows go to the end of the table. Older logs don't contain them, so their values
 * are read as null or empty. A list reads each group up to the last field that it shows. So a field after `trend` that is
 * shown in lists costs each row the reading of `daily` and `users`, too.
 */

interface GroupFieldBase {
  name: string;
  /** Where the API shows the field under its name. `list`: in lists and details. `details`: in details only. */
  shown?: 'list' | 'details';
  /** Set if searches read the field. */
  search?: true;
}

/** Counts how often each value occurred, up to a limit. */
interface CountsField extends GroupFieldBase {
  kind: 'counts';
  of: OptionalTextColumn;
  /** The name of the tag under which the details show the most frequent values. */
  tag?: TagName;
  /**
   * Declares a list filter: the query parameter that filters lists by the field. A group matches if any of its reports
   * had exactly this value, including its case. Rare values of a group with more values than `maxTagValues` are
   * dropped, so they don't match.
   */
  filter?: keyof GroupQuery;
  /**
   * Values are written without references to earlier text, so that a filter finds them without unpacking the group.
   * Only for fields at the beginning: a filter skips the fields before it. New fields are at the end, so they can't be
   * plain. Their filters unpack the texts of each group once, when they are first used.
   */
  plain?: true;
}

/**
 * One value of a column: that of the latest report (`latest`), of the latest report that has one (`last`), or of the
 * report that opened the group (`first`).
 */
interface ValueField extends GroupFieldBase {
  kind: 'latest' | 'last' | 'first';
  of: ColumnName;
}

/** The number of distinct values of a column. */
interface DistinctField extends GroupFieldBase {
  kind: 'distinct';
  of: OptionalTextColumn;
}

/** Counts the values of each tag. */
interface TagsField extends GroupFieldBase {
  kind: 'tags';
  of: OptionalTextColumn;
}

interface OtherField extends GroupFieldBase {
  /** `hours`, `days`: the number of reports in each of the latest ones. `time`: milliseconds since 1970, or null. */
  kind: 'hours' | 'days' | 'time' | 'number' | 'grouping';
}

export type GroupField = CountsField | ValueField | DistinctField | TagsField | OtherField;

/** The fields of a group, in addition to its facts (`GroupFacts`) and its stored reports. */
export const groupFields = [
  {
    name: 'environments',
    kind: 'counts',
    of: 'environment',
    plain: true,
    filter: 'environment',
    tag: 'environment',
    shown: 'list',
  },
  { name: 'releases', kind: 'counts', of: 'release', plain: true, filter: 'release', tag: 'release' },
  { name: 'level', kind: 'latest', of: 'level', shown: 'list' },
  { name: 'resolved_at', kind: 'time', shown: 'list' },
  { name: 'reopened_at', kind: 'time', shown: 'list' },
  { name: 'reopen_count', kind: 'number', shown: 'list' },
  { name: 'type', kind: 'latest', of: 'type', shown: 'list', search: true },
  { name: 'message', kind: 'latest', of: 'message', shown: 'list', search: true },
  { name: 'culprit', kind: 'latest', of: 'culprit', shown: 'list', search: true },
  { name: 'first_release', kind: 'first', of: 'release', shown: 'list', search: true },
  { name: 'last_release', kind: 'last', of: 'release', shown: 'list', search: true },
  { name: 'url', kind: 'last', of: 'url', search: true },
  { name: 'grouping', kind: 'grouping', shown: 'details' },
  { name: 'browsers', kind: 'counts', of: 'browser', tag: 'browser' },
  { name: 'systems', kind: 'counts', of: 'os', tag: 'os' },
  { name: 'urls', kind: 'counts', of: 'url', tag: 'url' },
  { name: 'trend', kind: 'hours', shown: 'list' },
  { name: 'daily', kind: 'days', shown: 'details' },
  { name: 'users', kind: 'distinct', of: 'user_id' },
  { name: 'custom_tags', kind: 'tags', of: 'tags', shown: 'details' },
] as const satisfies readonly GroupField[];

type Fields = (typeof groupFields)[number];
export type FieldName = Fields['name'];
/** The fields that lists show under the same name. */
export type ListedField = Extract<Fields, { shown: 'list' }>['name'] & keyof ErrorGroup;
export type DetailField = Extract<Fields, { shown: 'details' }>['name'] & keyof GroupDetails;
/** The query parameters of the list filters. */
export type ListFilterName = Extract<Fields, { filter: string }>['filter'];
type FieldNamed<Name extends FieldName> = Extract<Fields, { name: Name }>;
export type KindOf<Name extends FieldName> = FieldNamed<Name>['kind'];
/** The type of the column from which a field is derived. */
export type SourceOf<Name extends FieldName> =
  FieldNamed<Name> extends { of: infer Column extends ColumnName } ? ReportValues[Column] : never;
