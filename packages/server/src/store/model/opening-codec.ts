import type { Grouping } from '@service/protocol';
import { BytesWriter } from '../codec/bytes-writer.ts';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { OpeningEntry, ReportEntry } from '../records/entry.ts';
import { columnIndex, facetValuesOf } from '../records/columns-and-fields.ts';
import { openValues, packValues } from './group-values.ts';
import { hexOf, hexWords, readHexWords } from '../codec/hex-words.ts';
import { readFacetValues } from './packed-fields.ts';

/** The grouping of the report that opens a group. */
export interface OpenedGroup {
  fingerprint: string;
  grouping: Grouping;
}

const words = new Int32Array(4);
const stateWriter = new BytesWriter();

/** Packs the group that a report opens. Returns the entry that replaces the entry of the report. */
export function openingOf(report: ReportEntry, { fingerprint, grouping }: OpenedGroup): OpeningEntry {
  if (!readHexWords(fingerprint, words)) throw new RangeError('A fingerprint has 32 hexadecimal digits.');
  const fingerprintWords = hexWords(words);
  const { values } = report;
  const eventId = values[columnIndex.event_id];
  stateWriter.clear();
  packValues(openValues(report, grouping), stateWriter);
  return {
    kind: 'opening',
    id: report.id,
    project_id: report.project_id,
    group_id: report.group_id,
    at: report.at,
    event: eventId && readHexWords(eventId, words) ? hexWords(words) : null,
    facetValues: facetValuesOf(values),
    hasUser: values[columnIndex.user_id] !== null,
    fingerprint: fingerprintWords,
    bytes: Buffer.from(stateWriter.bytes.subarray(0, stateWriter.size)),
    start: 0,
    end: stateWriter.size,
    body_bytes: report.body_bytes,
  };
}

export function writeOpening(opening: OpeningEntry, to: BytesWriter): void {
  to.uint(opening.id);
  to.uint(opening.project_id);
  to.uint(opening.group_id);
  to.uint(opening.at);
  to.uint(opening.body_bytes);
  to.text(opening.event && hexOf(...opening.event));
  to.uint(opening.hasUser ? 1 : 0);
  for (const word of opening.fingerprint) to.fixed(word >>> 0, 4);
  to.raw(opening.bytes, opening.start, opening.end);
}

export function readOpening(from: BytesReader): OpeningEntry {
  const id = from.uint();
  const project_id = from.uint();
  const group_id = from.uint();
  const at = from.uint();
  const body_bytes = from.uint();
  const event = from.hexWords();
  const hasUser = from.uint() === 1;
  const fingerprint = [from.word(), from.word(), from.word(), from.word()] as const;
  const start = from.at;
  return {
    kind: 'opening',
    id,
    project_id,
    group_id,
    at,
    event,
    facetValues: readFacetValues(from),
    hasUser,
    fingerprint,
    bytes: from.bytes,
    start,
    end: from.end,
    body_bytes,
  };
}
