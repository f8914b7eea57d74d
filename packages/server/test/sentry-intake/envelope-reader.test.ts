import { describe, expect, test } from 'vitest';
import { SeededRandom } from '../../../../test/test-utils/seeded-random.mjs';
import { ErrorReport, limits } from '@service/protocol';
import { assertReportFields } from '../../src/report/assert-report-fields.ts';
import { parseReport } from '../../src/report/parse-report.ts';
import { EnvelopeReader, maxEnvelopeItems, type EnvelopeHeader } from '../../src/sentry-intake/envelope-reader.ts';
import { eventToReport } from '../../src/sentry-intake/event-to-report.ts';
import { ProblemError } from '../../src/problem.ts';
import { event } from './sentry-client.ts';
import { isFull } from '../../../../test/test-utils/depth.ts';

const fuzzRounds = isFull ? 100_000 : 10_000;

type Item = [header: EnvelopeHeader, payload: string | null];

/** Reads an envelope in the given pieces. Keeps events, as the server does. */
function read(pieces: Iterable<Buffer>): { header: EnvelopeHeader | null; items: Item[]; maxHeldBytes: number } {
  const found = { header: null as EnvelopeHeader | null, items: [] as Item[], maxHeldBytes: 0 };
  const reader = new EnvelopeReader({
    onEnvelope: (header) => void (found.header = header),
    onItem(header) {
      found.items.push([header, null]);
      return header.type === 'event' ? 1_000 : 0;
    },
    onPayload: (header, payload) => void (found.items[found.items.length - 1] = [header, payload.toString()]),
  });
  for (const piece of pieces) {
    reader.push(piece);
    found.maxHeldBytes = Math.max(found.maxHeldBytes, reader.heldBytes);
  }
  reader.end();
  return found;
}

const envelope = Buffer.from(
  [
    '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","dsn":"https://e12d836b15bb49d7bbf99e64295d995b@sentry.io/42"}',
    '{"type":"event"}',
    '{"message":"hällo 🌍"}',
    '{"type":"attachment","length":10}',
    '\n{"a":1}\r\n',
    '{"type":"event","length":6}',
    '{"a":\n',
    '',
    '{"type":"session"}',
    '{}',
    '{"type":"empty","length":0}',
    '',
    '{"type":"event","length":2}',
    '{}',
  ].join('\n'),
);

describe('an envelope', () => {
  test('has the same items, wherever it is split', () => {
    const whole = read([envelope]);
    expect(whole.items.map(([{ type }, payload]) => [type, payload])).toEqual([
      ['event', '{"message":"hällo 🌍"}'],
      ['attachment', null],
      ['event', '{"a":\n'],
      ['session', null],
      ['empty', null],
      ['event', '{}'],
    ]);
    for (let at = 0; at <= envelope.length; at++) {
      const { header, items } = read([envelope.subarray(0, at), envelope.subarray(at)]);
      expect({ header, items }, `split at ${at}`).toEqual({ header: whole.header, items: whole.items });
    }
    const bytes = Array.from(envelope, (_, at) => envelope.subarray(at, at + 1));
    expect(read(bytes).items).toEqual(whole.items);
  });

  test('of 100,000 items is read up to the limit, and takes little memory', () => {
    const item = '{"type":"span"}\n{}\n';
    const { items, maxHeldBytes } = read(piecesOf(`{}\n${item.repeat(100_000)}`, 1_000));
    expect(items).toHaveLength(maxEnvelopeItems);
    expect(maxHeldBytes).toBeLessThan(100);
  });

  test('with empty lines is read, and items after too many empty lines are ignored', () => {
    const { items } = read(piecesOf(`\n\n{}\n\n{"type":"a"}\nb\n${'\n'.repeat(maxEnvelopeItems)}{"type":"late"}`, 100));
    expect(items).toEqual([[{ type: 'a' }, null]]);
  });

  test('of empty lines is rejected after a thousand', () => {
    let pushed = 0;
    function* lines(): Generator<Buffer> {
      for (; pushed < 1_000_000; pushed++) yield Buffer.from('\r\n');
    }
    expect(() => read(lines())).toThrow(/not an envelope/);
    expect(pushed).toBe(maxEnvelopeItems);
  });

  test('with an item that claims two gigabytes is read without keeping the item', () => {
    const { items, maxHeldBytes } = read(piecesOf(`{}\n{"type":"x","length":${2 ** 31}}\n${'y'.repeat(100_000)}`, 999));
    expect(items).toHaveLength(1);
    expect(maxHeldBytes).toBeLessThan(100);
  });

  test('with an event that is too large is rejected before the event is read', () => {
    for (const length of [1_001, 2 ** 31, Number.MAX_SAFE_INTEGER])
      expect(() => read([Buffer.from(`{}\n{"type":"event","length":${length}}\n`)])).toThrow(/more than 1000 bytes/);
    expect(() => read(piecesOf(`{}\n{"type":"event"}\n${'y'.repeat(5_000)}`, 100))).toThrow(/more than 1000 bytes/);
    expect(() => read(piecesOf(`{"a":"${'y'.repeat(10_000)}`, 100))).toThrow(/more than 8192 bytes/);
  });

  test.each(['-1', '1.5', '"3"', '1e99', 'null', '{}'])('ignores the length %s', (length) => {
    const { items } = read([Buffer.from(`{}\n{"type":"event","length":${length}}\n{"a":1}\n{"type":"b"}\nc`)]);
    expect(items.map(([{ type }, payload]) => [type, payload])).toEqual([
      ['event', '{"a":1}'],
      ['b', null],
    ]);
  });

  test('of any bytes is read or rejected', () => {
    const seeded = new SeededRandom(24);
    const random = (): number => seeded.next();
    const counts = { read: 0, rejected: 0 };
    for (let round = 0; round < fuzzRounds; round++) {
      const bytes = Buffer.from(envelope);
      for (let change = 0; change < 1 + random() * 4; change++)
        bytes[Math.floor(random() * bytes.length)] = random() < 0.3 ? 0x0a : Math.floor(random() * 256);
      try {
        read([bytes.subarray(0, Math.floor(random() * (bytes.length + 1)))]);
        counts.read++;
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        counts.rejected++;
      }
    }
    expect(counts.read).toBeGreaterThan(fuzzRounds / 50);
    expect(counts.rejected).toBeGreaterThan(fuzzRounds / 50);
  });
});

describe('an event', () => {
  const origin = { apiKey: 'pk_x', eventId: '01234567-89ab-cdef-0123-456789abcdef', sentAt: null, receivedAt: 0 };

  test('with values of any type becomes a report', () => {
    const seeded = new SeededRandom(7);
    const random = (): number => seeded.next();
    for (let round = 0; round < fuzzRounds / 10; round++) {
      const sent = eventToReport(changedEvent(random), { ...origin, sentAt: anyValue(random) }).whole();
      const report = JSON.parse(JSON.stringify(sent)) as Record<string, unknown>;
      assertReportFields(report);
      expect(ErrorReport.safeParse(report).success).toBe(true);
      parseReport(report, { userAgent: null, receivedAt: 0 }).whole();
    }
  });

  test('with a cycle of causes is read', () => {
    const linked = (id: number, parent: number): object => ({
      type: 'Error',
      value: String(id),
      mechanism: { exception_id: id, parent_id: parent, source: 'cause' },
    });
    const values = [linked(1, 0), linked(0, 1), linked(0, 1), linked(0, 0)];
    const { exceptions } = eventToReport({ exception: { values } }, origin).facts;
    expect(exceptions?.length).toBeLessThanOrEqual(4);
  });

  test('with many linked exceptions keeps at most 50 of them', () => {
    const values = Array.from({ length: 20_000 }, (_, id) => ({
      type: 'Error',
      mechanism: { exception_id: id, parent_id: id + 1 },
    }));
    expect(eventToReport({ exception: { values } }, origin).facts.exceptions?.length).toBeLessThanOrEqual(50);
  });

  test('keeps the newest breadcrumbs', () => {
    const breadcrumbs = Array.from({ length: 1_000 }, (_, index) => ({ message: String(index) }));
    const kept = eventToReport({ breadcrumbs }, origin).whole().breadcrumbs;
    expect(kept).toHaveLength(limits.breadcrumbs);
    expect(kept?.at(-1)).toMatchObject({ data: { message: '999' } });
  });
});

function* piecesOf(text: string, bytes: number): Generator<Buffer> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

const oddValues = [
  null,
  true,
  -1,
  1e300,
  '',
  'text',
  '\ud83d',
  [],
  {},
  [null],
  [[]],
  [['a', {}]],
  { values: [null, 7, {}] },
];

function anyValue(random: () => number): unknown {
  return oddValues[Math.floor(random() * oddValues.length)];
}

/** Returns an event in which some values are replaced, at any depth. */
function changedEvent(random: () => number): Record<string, unknown> {
  const whole = event({ threads: { values: [{ crashed: true }] }, logentry: { params: [1] } });
  return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, withChanges(value, random)]));
}

function withChanges(value: unknown, random: () => number): unknown {
  if (random() < 0.05) return anyValue(random);
  if (Array.isArray(value)) return value.map((item) => withChanges(item, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withChanges(item, random)]));
}
