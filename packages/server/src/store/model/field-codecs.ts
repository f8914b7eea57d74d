import { limits, type Grouping, type Level } from '@service/protocol';
import { dailyDays, trendHours } from '../../retention/retention-policy.ts';
import { maxTagUrlChars } from '../structures/memory-limits.ts';
import { hourMs } from '../../time/units.ts';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import { levels, reportColumns, type ColumnName, type GroupField } from '../records/columns-and-fields.ts';
import { DistinctCount } from '../structures/distinct-count.ts';
import { RecentCounts } from '../structures/recent-counts.ts';
import { TagCounts } from '../structures/tag-counts.ts';
import { TopValues } from '../structures/top-values.ts';

const shownValues = 20;

/** The operations on the values of one kind of field. */
export interface FieldCodec<Value> {
  /** True if the packed value contains text, because later text may refer to it. */
  readonly hasText: boolean;
  /** Returns the value of a group without reports, or of one that was packed before the field existed. */
  empty(): Value;
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
      return countsCodec(field.plain === true, countedText(field.of));
    case 'latest':
    case 'last':
    case 'first':
      return columnCodec(reportColumns[field.of].type);
    case 'distinct':
      return distinctCodec;
    case 'tags':
      return tagsCodec;
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

/** Returns how a value of a column is shortened before it is counted. */
export function countedText(column: ColumnName): (value: string) => string {
  return column === 'url' ? countedUrl : asIs;
}

/** Returns a URL, truncated and without its query, which often differs from report to report. */
function countedUrl(url: string): string {
  const query = url.search(/[?#]/);
  return url.slice(0, query < 0 ? maxTagUrlChars : Math.min(query, maxTagUrlChars)).toWellFormed();
}

const asIs = (value: string): string => value;

function countsCodec(isPlain: boolean, cut: (value: string) => string): FieldCodec<TopValues> {
  return {
    hasText: true,
    empty: () => new TopValues(),
    pack: (values, to) => values.pack(to, isPlain),
    unpack: (from) => TopValues.unpack(from, cut),
    skip: (from) => TopValues.skip(from),
    show: (values) => values.topValues(shownValues),
  };
}

function columnCodec(type: (typeof reportColumns)[ColumnName]['type']): FieldCodec<unknown> {
  return type === 'level' ? levelCodec : textCodec(type);
}

function textCodec(type: 'text' | 'text?'): FieldCodec<string | null> {
  const empty = type === 'text' ? '' : null;
  return {
    hasText: true,
    empty: () => empty,
    pack: (value, to) => to.text(value),
    unpack: (from) => from.text() ?? empty,
    skip: (from) => from.skipText(),
    show: (value) => value,
  };
}

const levelCodec: FieldCodec<Level> = {
  hasText: false,
  empty: () => 'error',
  pack: (level, to) => to.uint(levels.indexOf(level)),
  unpack: (from) => levels[from.uint()] ?? 'error',
  skip: skipNumber,
  show: (level) => level,
};

const distinctCodec: FieldCodec<DistinctCount> = {
  hasText: true,
  empty: () => new DistinctCount(),
  pack: (count, to) => count.pack(to),
  unpack: (from) => DistinctCount.unpack(from),
  skip: (from) => void DistinctCount.unpack(from),
  show: (count) => count.size,
};

const tagsCodec: FieldCodec<TagCounts> = {
  hasText: true,
  empty: () => new TagCounts(),
  pack: (counts, to) => counts.pack(to),
  unpack: (from) => TagCounts.unpack(from),
  skip: (from) => void TagCounts.unpack(from),
  show: (counts) => counts.top(limits.groupTagValues),
};

function recentCodec(bucketMs: number, size: number): FieldCodec<RecentCounts> {
  const unpack = (from: BytesReader): RecentCounts => {
    const counts = new RecentCounts(bucketMs, size);
    counts.unpack(from);
    return counts;
  };
  return {
    hasText: false,
    empty: () => new RecentCounts(bucketMs, size),
    pack: (counts, to) => counts.pack(to),
    unpack,
    skip: unpack,
    show: (counts, now) => counts.until(now),
  };
}

/** Reports never set a time: see `GroupState`. */
const timeCodec: FieldCodec<number | null> = {
  hasText: false,
  empty: () => null,
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
  pack: (number, to) => to.uint(number),
  unpack: (from) => from.uint(),
  skip: skipNumber,
  show: (number) => number,
};

const groupingCodec: FieldCodec<Grouping> = {
  hasText: true,
  empty: () => ({ version: 0, rule: '', components: [] }),
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
