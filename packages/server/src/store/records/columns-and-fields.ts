import {
  limits,
  type ErrorGroup,
  type FacetName,
  type Facets,
  type GroupDetails,
  type GroupFilterName,
  type Level,
  type TagName,
} from '@service/protocol';
import type { ParsedReport } from '../../report/parse-report.ts';
import { truncate } from '../../text/truncate.ts';
import { packTags } from './packed-tags.ts';

/*
 * The columns of a report and the fields of a group, each described once. Derived from them are the log, packed groups,
 * lists, list filters, tags, searches and facets.
 *
 * Their order is the order on disk. New rows go to the end of their table. Older logs don't contain them, so their
 * values are read as null or empty.
 */

/** Levels by their numbers on disk. New ones go to the end. */
export const levels: readonly Level[] = ['error', 'warning', 'info', 'fatal', 'debug'];

interface ColumnTypes {
  text: string;
  /** Null if the report has none. */
  'text?': string | null;
  level: Level;
}

interface ReportColumn {
  type: keyof ColumnTypes;
  /**
   * The facet that offers the values of the column. Requires a group field that counts them. If that field is not
   * plain, a start is slower: it unpacks each opened group up to that field, which takes 1.3 to 1.8 µs instead of 0.2.
   */
  facet?: FacetName;
}

/** The values of a report that its log entry contains. */
export const reportColumns = {
  event_id: { type: 'text?' },
  type: { type: 'text?' },
  /** The first 300 characters. */
  message: { type: 'text' },
  culprit: { type: 'text?' },
  level: { type: 'level' },
  environment: { type: 'text?', facet: 'environments' },
  release: { type: 'text?', facet: 'releases' },
  url: { type: 'text?' },
  browser: { type: 'text?' },
  os: { type: 'text?' },
  user_id: { type: 'text?' },
  /** As `packTags` writes them. */
  tags: { type: 'text?' },
} as const satisfies Record<string, ReportColumn>;

type Columns = typeof reportColumns;
export type ColumnName = keyof Columns;
export type ReportValues = { -readonly [Name in ColumnName]: ColumnTypes[Columns[Name]['type']] };
/**
 * The values of a report in the order of the columns. An array, because V8 reads an element many times as fast as a
 * property whose name varies.
 */
export type ColumnValues = readonly (string | null)[];
type OptionalTextColumn = {
  [Name in ColumnName]: Columns[Name]['type'] extends 'text?' ? Name : never;
}[ColumnName];

export const columnNames = Object.keys(reportColumns) as ColumnName[];
/** The index of each column in `ColumnValues`. */
export const columnIndex = Object.fromEntries(columnNames.map((name, index) => [name, index])) as Record<
  ColumnName,
  number
>;

/** Reads the columns of a report. `type` and `culprit` are those of the symbolicated stack. */
export function readColumns(
  facts: ParsedReport['facts'],
  type: string | null,
  culprit: string | null,
  client: Pick<ReportValues, 'browser' | 'os'>,
): ReportValues {
  // Many clients send an empty string for an unknown value.
  return {
    event_id: facts.event_id,
    type,
    message: truncate(facts.message, limits.listedMessageChars),
    culprit,
    level: facts.level,
    environment: facts.environment || null,
    release: facts.release || null,
    url: facts.url || null,
    browser: client.browser,
    os: client.os,
    user_id: facts.user?.id || null,
    tags: packTags(facts.tags),
  };
}

/**
 * Returns the values in the order of the columns. Runs for every report, so it lists the columns again: a loop over
 * their names takes six times as long. `columns-and-fields.test.ts` compares the order.
 */
export function columnValues(values: ReportValues): ColumnValues {
  return [
    values.event_id,
    values.type,
    values.message,
    values.culprit,
    values.level,
    values.environment,
    values.release,
    values.url,
    values.browser,
    values.os,
    values.user_id,
    values.tags,
  ];
}

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
  filter?: GroupFilterName;
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

/**
 * The fields of a group, in addition to its facts (`GroupFacts`) and its stored reports. A list reads each group up to
 * the last field that it shows. So a field after `trend` that is shown in lists costs each row the reading of `daily`
 * and `users`, too.
 */
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
export type DetailField = Extract<Fields, { shown: 'details' }>['name'] & keyof GroupDetails;
type FieldNamed<Name extends FieldName> = Extract<Fields, { name: Name }>;
export type KindOf<Name extends FieldName> = FieldNamed<Name>['kind'];
/** The type of the column from which a field is derived. */
export type SourceOf<Name extends FieldName> =
  FieldNamed<Name> extends { of: infer Column extends ColumnName } ? ReportValues[Column] : never;

/**
 * Is `Type`. If a table above lacks something, `Advice` is a sentence, which the compiler prints as an error. The
 * condition is there only to use `Advice`: unused parameters don't compile either.
 */
type Complete<Type, Advice extends never> = [Advice] extends [never] ? Type : Type;

/** The columns of a list that are facts of the group (`GroupFacts`). All others are fields of the same name. */
export type FactColumn = Complete<
  FactName,
  `Add a row to groupFields: name: '${Exclude<keyof ErrorGroup, FactName | ListedField>}', shown: 'list'`
>;
type FactName =
  | 'error_group_id'
  | 'project_id'
  | 'fingerprint'
  | 'status'
  | 'count'
  | 'users'
  | 'first_seen'
  | 'last_seen';
type ListedField = Extract<Fields, { shown: 'list' }>['name'];

/** The query parameters of the list filters. */
export type ListFilterName = Complete<
  GroupFilterName,
  `Add to a row of groupFields: filter: '${Exclude<GroupFilterName, Extract<Fields, { filter: string }>['filter']>}'`
>;

/** The names of the tags whose values the details show. */
export type CountedTag = Complete<
  TagName,
  `Add to a row of groupFields: tag: '${Exclude<TagName, Extract<Fields, { tag: string }>['tag']>}'`
>;

/** The facets that are values of a column. */
export type ColumnFacets = Complete<
  Pick<Facets, FacetName>,
  `Add to a row of reportColumns: facet: '${Exclude<FacetName, OfferedFacet>}'`
>;
type OfferedFacet = Extract<Columns[ColumnName], { facet: string }>['facet'];

/** The columns whose values are offered as facets, with the names of the facets. */
export const facetColumns = Object.entries<ReportColumn>(reportColumns).flatMap(([column, { facet }]) =>
  facet ? { facet, column: column as ColumnName, index: columnIndex[column as ColumnName] } : [],
);
for (const { facet, column } of facetColumns) {
  const other = facetColumns.find((each) => each.facet === facet && each.column !== column);
  if (other) throw new RangeError(`The columns ${column} and ${other.column} have the same facet: ${facet}.`);
}

/** Returns a report's values of the facets, in the order of `facetColumns`. */
export function facetValuesOf(values: ColumnValues): (string | null)[] {
  return facetColumns.map(({ index }) => values[index] ?? null);
}

/** Returns a record with a value for each facet. */
export function mapFacets<Value>(
  valueOf: (facet: keyof ColumnFacets, index: number) => Value,
): Record<keyof ColumnFacets, Value> {
  const entries = facetColumns.map(({ facet }, index) => [facet, valueOf(facet, index)]);
  return Object.fromEntries(entries) as Record<keyof ColumnFacets, Value>;
}
