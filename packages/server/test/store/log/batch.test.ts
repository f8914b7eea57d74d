import { expect, test } from 'vitest';
import { decodeBatch, encodeBatch } from '../../../src/store/log/batch.ts';
import type { BodySpan, Entry, OpeningEntry, ReportEntry, Written } from '../../../src/store/records/entry.ts';
import { reportEntry } from '../records/report-entry.ts';
import { levels } from '../../../src/store/records/columns-and-fields.ts';
import { openingOf } from '../../../src/store/model/opening-codec.ts';
import { bodyHeaderBytes, frameBatch, frameHeaderBytes } from '../../../src/store/log/batch-frame.ts';

const opened = {
  fingerprint: '0123456789abcdef0123456789abcdef',
  grouping: { version: 1, rule: 'frame', components: ['TypeError', 'src/cart.ts:total'] },
};

function report(fields: Parameters<typeof reportEntry>[0]): ReportEntry {
  return reportEntry({ group_id: 3, ...fields });
}

function comparable(entry: Entry): unknown {
  if (entry.kind !== 'opening') return entry;
  const { bytes, start, end, ...rest } = entry;
  return { ...rest, state: bytes.toString('latin1', start, end) };
}

test('a decoded batch has the encoded entries, with bodies at their offsets', () => {
  const batch: Written[] = [
    { entry: { kind: 'put', table: 'settings', record: { id: 'a', value: 'b\n"ö' } }, body: null },
    { entry: report({}), body: null },
    { entry: openingOf(report({ id: 8 }), opened), body: '{"message":"größer, \u{1f600}"}' },
    { entry: { kind: 'group.status', id: 3, status: 'resolved', at: 5 }, body: null },
    { entry: { kind: 'moved', id: 4, group_id: 3, at: 9, body_bytes: 0 }, body: 'kept' },
    { entry: report({ id: 9, reopens: true, type: '', release: '0', user_id: '\ud800' }), body: Buffer.from('bytes') },
    { entry: openingOf(report({ id: 10, event_id: 'x', environment: 'größer 価', user_id: '' }), opened), body: null },
    { entry: { kind: 'groups', packed: Buffer.from('groups') }, body: null },
    { entry: { kind: 'answers', packed: Buffer.from('answers') }, body: null },
  ];
  const { bytes, bodies, spans } = encodeBatch(batch);
  const read: { entry: Entry; body: BodySpan | null }[] = [];
  decodeBatch(bytes, (entry, body) => read.push({ entry, body }));
  expect(read.map(({ entry }) => comparable(entry))).toEqual(batch.map(({ entry }) => comparable(entry)));
  expect(read.map(({ body }) => body)).toEqual(spans);
  const frame = Buffer.concat(frameBatch(1, bytes, bodies)).subarray(frameHeaderBytes);
  const textAt = (span: BodySpan | null | undefined): string | null =>
    span ? frame.toString('utf8', span.offset, span.offset + span.length) : null;
  expect(spans.map(textAt)).toEqual([null, null, batch[2]?.body, null, 'kept', 'bytes', null, null, null]);
  expect(spans[2]?.offset).toBe(bytes.length + bodyHeaderBytes);
});

test('a level is stored as a number that never changes, and new levels get later numbers', () => {
  expect(levels).toEqual(['error', 'warning', 'info', 'fatal', 'debug']);
  for (const level of levels) {
    const entry = report({ level, reopens: level === 'debug' });
    const { bytes } = encodeBatch([{ entry, body: null }]);
    const read: Entry[] = [];
    decodeBatch(bytes, (each) => read.push(each));
    expect(read).toEqual([entry]);
  }
});

test('decodeBatch() rejects bytes that are not a batch', () => {
  const { bytes } = encodeBatch([{ entry: report({}), body: null }]);
  const ignore = (): void => undefined;
  for (const invalid of [Buffer.from('[]\n'), bytes.subarray(0, -1), Buffer.from([0, 1, 0, 0, 0, 0x7b])])
    expect(() => decodeBatch(invalid, ignore)).toThrow('not as this server writes them');
  // The checksum of the batch is right, so it is not damaged.
  expect(() => decodeBatch(Buffer.from([9, 0, 0, 0, 0]), ignore)).toThrow('newer server');
});

/** The bytes of a report and an opening in version 2 of the entries. They must never change. */
const storedBatch =
  '014e00000008010380bee2b8aa3300030025547970654572726f722267007200f600df00650072002000a14f001d73746167696e671973686f' +
  '70403100294368726f6d65203134311d57696e646f7773097531029300000009010380bee2b8aa3300000167452301efcdab8967452301efcd' +
  'ab89011d73746167696e6701011973686f704031010100000025547970654572726f722267007200f600df00650072002000a14f0007070001' +
  '156672616d65020b457372632f636172742e74733a746f74616c01294368726f6d652031343101011d57696e646f7773010001c7f31d0101bd' +
  '9f010101097531';
const storedFields = {
  id: 8,
  type: 'TypeError',
  message: 'größer 価',
  level: 'warning',
  environment: 'staging',
  release: 'shop@1',
  browser: 'Chrome 141',
  os: 'Windows',
  user_id: 'u1',
  reopens: true,
} as const;
const storedReport = report(storedFields);
const storedOpening = openingOf({ ...storedReport, id: 9, reopens: false }, opened);

function decoded(bytes: Buffer): Entry[] {
  const entries: Entry[] = [];
  decodeBatch(bytes, (entry) => entries.push(entry));
  return entries;
}

/** Returns the bytes of each entry of a batch, after its header of a kind and a length. */
function contents(batch: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start < batch.length;) {
    const end = start + 5 + batch.readUInt32LE(start + 1);
    parts.push(batch.subarray(start + 5, end));
    start = end;
  }
  return parts;
}

test('the bytes of reports and openings are unchanged since their first release', () => {
  const { bytes } = encodeBatch([storedReport, storedOpening].map((entry) => ({ entry, body: null })));
  const stored = contents(Buffer.from(storedBatch, 'hex'));
  // Columns and fields that were added since are at the end.
  const unchanged = contents(bytes).map((content, index) => content.subarray(0, stored[index]?.length));
  expect(unchanged).toEqual(stored);
});

test('reports and openings of the first release are read', () => {
  const [readReport, readOpening] = decoded(Buffer.from(storedBatch, 'hex'));
  expect(readReport).toEqual(storedReport);
  const { bytes, start, end, ...opening } = readOpening as OpeningEntry;
  expect(storedOpening).toMatchObject(opening);
  const state = storedOpening.bytes.subarray(storedOpening.start, storedOpening.end);
  expect(state.subarray(0, end - start)).toEqual(bytes.subarray(start, end));
});

test('an entry that ends before the last columns is read with null in these columns', () => {
  const bytes = Buffer.from(storedBatch, 'hex').subarray(0, 5 + 0x4e);
  const osAndUser = Buffer.from('1d57696e646f7773097531', 'hex');
  const shorter = Buffer.from(bytes.subarray(0, bytes.length - osAndUser.length));
  shorter.writeUInt32LE(shorter.length - 5, 1);
  expect(decoded(shorter)).toEqual([report({ ...storedFields, os: null, user_id: null })]);
});
