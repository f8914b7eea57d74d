import type { Grouping, Level } from '@service/protocol';
import { dailyDays, trendHours } from '../../retention/retention-policy.ts';
import { hourMs } from '../../time/units.ts';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import type { ReportEntry } from '../records/entry.ts';
import {
  columnIndex,
  levels,
  reportColumns,
  type ColumnName,
  type GroupField,
  type OptionalTextColumn,
} from '../records/report-columns.ts';
import { DistinctCount } from '../structures/distinct-count.ts';
import { RecentCounts } from '../structures/recent-counts.ts';
import { TopValues } from '../structures/top-values.ts';

const shownValues = 20;

/** The operations on the values of one kind of field. */
export interface FieldCodec<Value> {
  /** True if the packed value contains text, because later text may refer to it. */
  readonly hasText: boolean;
  /** Returns the value of a group that was packed before the field existed. */
  empty(): Value;
  /** Returns the value once the report that opens the group is counted. */
  open(report: ReportEntry, grouping: Grouping): Value;
  /**
   * Returns the value once one more report is counted: the same object, changed, or another value. Absent if reports do
   * not change the value.
   */
  add?(value: Value, report: ReportEntry): Value;
  pack(value: Value, to: BytesWriter): void;
  unpack(from: BytesReader): Value;
  /** Moves past the packed value. No text may be read after it if the value holds text. */
  skip(from: BytesReader): void;
  /** Returns what the API shows. */
  show(value: Value, now: number): unknown;
}

/** Composes the codec of a field. */
export function codecOf(field: GroupField): FieldCodec<unknown> {
  switch (field.kind) {
    case 'counts':
      return countsCodec(field.of, field.plain === true);
    case 'latest':
    case 'last':
    case 'first':
      return field.of === 'level' ? levelCodec : textCodec(field.kind, field.of);
    case 'distinct':
      return distinctCodec(field.of);
    case 'hours':
      return recentCodec(hourMs, trendHours);
    case 'days':
      return recentCodec(24 * hourMs, dailyDays);
    case 'time':
      return timeCodec;
    case 'number':
      return numberCodec;
    case 'grouping':
      return groupingCodec;
  }
}

function countsCodec(of: OptionalTextColumn, isPlain: boolean): FieldCodec<TopValues> {
  const column = columnIndex[of];
  const add = (counts: TopValues, { values }: ReportEntry): TopValues => {
    const value = values[column] ?? null;
    if (value !== null) counts.add(value);
    return counts;
  };
  return {
    hasText: true,
    empty: () => new TopValues(),
    open: (report) => add(new TopValues(), report),
    add,
    pack: (values, to) => values.pack(to, isPlain),
    unpack: (from) => TopValues.unpack(from),
    skip: (from) => TopValues.skip(from),
    show: (values) => values.topValues(shownValues),
  };
}

function textCodec(kind: 'latest' | 'last' | 'first', of: Exclude<ColumnName, 'level'>): FieldCodec<string | null> {
  const empty = reportColumns[of].type === 'text' ? '' : null;
  const column = columnIndex[of];
  const add = {
    latest: (value: string | null, { values }: ReportEntry) => newer(value, values[column] ?? empty),
    last: (value: string | null, { values }: ReportEntry) => newer(value, values[column] ?? value),
    first: undefined,
  }[kind];
  return {
    hasText: true,
    empty: () => empty,
    open: ({ values }) => values[column] ?? empty,
    ...(add && { add }),
    pack: (value, to) => to.text(value),
    unpack: (from) => from.text() ?? empty,
    skip: (from) => from.skipText(),
    show: (value) => value,
  };
}

/** Usually the texts are equal. Keeping the old string spares the garbage collector from promoting the new one. */
function newer(value: string | null, text: string | null): string | null {
  return text === value ? value : text;
}

const levelCodec: FieldCodec<Level> = {
  hasText: false,
  empty: () => 'error',
  open: levelOf,
  add: (_level, report) => levelOf(report),
  pack: (level, to) => to.uint(levels.indexOf(level)),
  unpack: (from) => levels[from.uint()] ?? 'error',
  skip: skipNumber,
  show: (level) => level,
};

function levelOf({ values }: ReportEntry): Level {
  return values[columnIndex.level] as Level;
}

function distinctCodec(of: OptionalTextColumn): FieldCodec<DistinctCount> {
  const column = columnIndex[of];
  const add = (count: DistinctCount, { values }: ReportEntry): DistinctCount => {
    const value = values[column] ?? null;
    if (value !== null) count.add(value);
    return count;
  };
  return {
    hasText: true,
    empty: () => new DistinctCount(),
    open: (report) => add(new DistinctCount(), report),
    add,
    pack: (count, to) => count.pack(to),
    unpack: (from) => DistinctCount.unpack(from),
    skip: (from) => void DistinctCount.unpack(from),
    show: (count) => count.size,
  };
}

function recentCodec(bucketMs: number, size: number): FieldCodec<RecentCounts> {
  const unpack = (from: BytesReader): RecentCounts => {
    const counts = new RecentCounts(bucketMs, size);
    counts.unpack(from);
    return counts;
  };
  return {
    hasText: false,
    empty: () => new RecentCounts(bucketMs, size),
    open: (report) => countAt(new RecentCounts(bucketMs, size), report),
    add: countAt,
    pack: (counts, to) => counts.pack(to),
    unpack,
    skip: unpack,
    show: (counts, now) => counts.until(now),
  };
}

function countAt(counts: RecentCounts, { at }: ReportEntry): RecentCounts {
  counts.add(at);
  return counts;
}

/** Reports never set a time: see `GroupState`. */
const timeCodec: FieldCodec<number | null> = {
  hasText: false,
  empty: () => null,
  open: () => null,
  pack: packTime,
  unpack(from) {
    const packed = from.uint();
    return packed === 0 ? null : packed - 1;
  },
  skip: skipNumber,
  show: (at) => (at === null ? null : new Date(at).toISOString()),
};

export function packTime(at: number | null, to: BytesWriter): void {
  to.uint(at === null ? 0 : at + 1);
}

const numberCodec: FieldCodec<number> = {
  hasText: false,
  empty: () => 0,
  open: () => 0,
  pack: (number, to) => to.uint(number),
  unpack: (from) => from.uint(),
  skip: skipNumber,
  show: (number) => number,
};

const groupingCodec: FieldCodec<Grouping> = {
  hasText: true,
  empty: () => ({ version: 0, rule: '', components: [] }),
  open: (_report, grouping) => grouping,
  pack({ version, rule, components }, to) {
    to.uint(version);
    to.text(rule);
    to.uint(components.length);
    for (const component of components) to.text(component);
  },
  unpack(from) {
    const version = from.uint();
    const rule = from.text() ?? '';
    return { version, rule, components: Array.from({ length: from.uint() }, () => from.text() ?? '') };
  },
  skip(from) {
    from.uint();
    from.skipText();
    for (let components = from.uint(); components > 0; components--) from.skipText();
  },
  show: (grouping) => grouping,
};

function skipNumber(from: BytesReader): void {
  from.uint();
}
