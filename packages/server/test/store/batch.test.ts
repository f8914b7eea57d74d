import { expect, test } from 'vitest';
import { decodeBatch, encodeBatch } from '../../src/store/log/batch.ts';
import type { BodySpan, Entry, ReportEntry, Written } from '../../src/store/records/entry.ts';
import { reportEntry } from './report-entry.ts';
import { openingOf } from '../../src/store/model/opening.ts';
import { bodyHeaderBytes, frameBatch, frameHeaderBytes } from '../../src/store/log/frame.ts';

const opens = {
  fingerprint: '0123456789abcdef0123456789abcdef',
  grouping: { version: 1, rule: 'frame', components: ['TypeError', 'src/cart.ts:total'] },
};

function report(fields: Partial<ReportEntry>): ReportEntry {
  return reportEntry({ group_id: 3, ...fields });
}

/** A report that opens a group comes back with that group. */
function told(entry: Entry): unknown {
  if (entry.kind === 'report' && entry.opens) return told(openingOf(entry, entry.opens));
  if (entry.kind !== 'opening') return entry;
  const { bytes, start, end, ...rest } = entry;
  return { ...rest, state: bytes.toString('latin1', start, end) };
}

test('entries come back as they were written, and bodies where they are said to stand', () => {
  const batch: Written[] = [
    { entry: { kind: 'put', table: 'settings', record: { id: 'a', value: 'b\n"ö' } }, body: null },
    { entry: report({}), body: null },
    { entry: report({ id: 8, opens }), body: '{"message":"größer, \u{1f600}"}' },
    { entry: { kind: 'group.status', id: 3, status: 'resolved', at: 5 }, body: null },
    { entry: { kind: 'kept', id: 4, group_id: 3, at: 9, body_bytes: 0 }, body: 'kept' },
    { entry: report({ id: 9, reopens: true, type: '', release: '0', user_id: '\ud800' }), body: Buffer.from('bytes') },
    { entry: report({ id: 10, event_id: 'x', environment: 'größer 価', user_id: '', opens }), body: null },
    { entry: { kind: 'groups', packed: Buffer.from('groups') }, body: null },
    { entry: { kind: 'answers', packed: Buffer.from('answers') }, body: null },
  ];
  const { bytes, bodies, spans } = encodeBatch(batch);
  const read: { entry: Entry; body: BodySpan | null }[] = [];
  decodeBatch(bytes, (entry, body) => read.push({ entry, body }));
  expect(read.map(({ entry }) => told(entry))).toEqual(batch.map(({ entry }) => told(entry)));
  expect(read.map(({ body }) => body)).toEqual(spans);
  const frame = Buffer.concat(frameBatch(1, bytes, bodies)).subarray(frameHeaderBytes);
  const textAt = (span: BodySpan | null | undefined): string | null =>
    span ? frame.toString('utf8', span.offset, span.offset + span.length) : null;
  expect(spans.map(textAt)).toEqual([null, null, batch[2]?.body, null, 'kept', 'bytes', null, null, null]);
  expect(spans[2]?.offset).toBe(bytes.length + bodyHeaderBytes);
});

test('a batch of anything else is refused', () => {
  const { bytes } = encodeBatch([{ entry: report({}), body: null }]);
  const ignore = (): void => undefined;
  for (const spoilt of [
    Buffer.from('[]\n'),
    bytes.subarray(0, -1),
    Buffer.from([9, 0, 0, 0, 0]),
    Buffer.from([0, 1, 0, 0, 0, 0x7b]),
  ])
    expect(() => decodeBatch(spoilt, ignore)).toThrow('not as this server writes them');
});
