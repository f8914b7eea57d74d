import { limits, type Facets, type Level } from '@service/protocol';
import type { ParsedReport } from '../../report/parse-report.ts';
import { truncate } from '../../text/truncate.ts';
import { packTags } from './packed-tags.ts';

/*
 * The columns of a report, each described once. The log and facets are derived from this table, and so are the fields of
 * a group: see `group-fields.ts`.
 *
 * Their order is the order on disk. New rows go to the end of the table. Older logs don't contain them, so their values
 * are read as null or empty.
 */

/** Levels by their numbers on disk. New ones go to the end. */
export const levels: readonly Level[] = ['error', 'warning', 'info', 'fatal', 'debug'];

interface ColumnTypes {
  text: string;
  /** Null if the report has none. */
  'text?': string | null;
  level: Level;
}

/** The facets that are values of a column. */
export type ColumnFacets = Omit<Facets, 'tags'>;

interface ReportColumn {
  type: keyof ColumnTypes;
  /** The facet that offers the values of the column. Requires a group field that counts them. */
  facet?: keyof ColumnFacets;
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
export type OptionalTextColumn = {
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
 * their names takes six times as long. `report-columns.test.ts` compares the order.
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

/** The columns whose values are offered as facets, with the names of the facets. */
export const facetColumns = Object.entries<ReportColumn>(reportColumns).flatMap(([column, { facet }]) =>
  facet ? { facet, column: column as ColumnName, index: columnIndex[column as ColumnName] } : [],
);

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
