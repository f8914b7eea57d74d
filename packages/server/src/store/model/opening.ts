import { BytesWriter } from '../codec/bytes-writer.ts';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { OpeningEntry, ReportEntry } from '../records/entry.ts';
import { packOpening } from './group-state.ts';
import { hexOf, hexWords, readHexWords } from '../codec/hex-words.ts';

const words = new Int32Array(4);
const stateWriter = new BytesWriter();

/** What the log has of a report that opens a group. */
export function openingOf(report: ReportEntry, opens: NonNullable<ReportEntry['opens']>): OpeningEntry {
  if (!readHexWords(opens.fingerprint, words)) throw new RangeError('A fingerprint has 32 hexadecimal digits.');
  const print = hexWords(words);
  stateWriter.clear();
  packOpening(report, opens, stateWriter);
  return {
    kind: 'opening',
    id: report.id,
    project_id: report.project_id,
    group_id: report.group_id,
    at: report.at,
    event: report.event_id !== null && readHexWords(report.event_id, words) ? hexWords(words) : null,
    environment: report.environment,
    release: report.release,
    hasUser: report.user_id !== null,
    print,
    bytes: stateWriter.bytes,
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
  for (const word of opening.print) to.fixed(word >>> 0, 4);
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
  const print = [from.word(), from.word(), from.word(), from.word()] as const;
  const start = from.at;
  // The state begins with these two, as values that were counted once.
  const environment = from.uint() === 1 ? from.sharedText() : null;
  if (environment !== null) from.uint();
  const release = from.uint() === 1 ? from.sharedText() : null;
  return {
    kind: 'opening',
    id,
    project_id,
    group_id,
    at,
    event,
    environment,
    release,
    hasUser,
    print,
    bytes: from.bytes,
    start,
    end: from.end,
    body_bytes,
  };
}
