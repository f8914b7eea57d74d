import { limits, truncationMark, type Breadcrumb, type StoredReport } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import { SeededRandom } from '../../../../test/test-utils/seeded-random.mjs';
import { jsonText } from '../../src/validation/json.ts';
import { bytesToStore, readStoredReport } from '../../src/report/stored-report.ts';
import { parseReport } from '../../src/report/parse-report.ts';
import { isFull } from '../../../../test/test-utils/depth.ts';

const rounds = isFull ? 600 : 60;
const receivedAt = Date.parse('2026-11-20T09:00:00.000Z');

/** Returns a report as it is read back from the log. */
function storeAndRead(body: object): StoredReport {
  const sent = Buffer.from(JSON.stringify({ project_api_key: 'pk', ...body }));
  const request = { userAgent: null, receivedAt };
  const report = parseReport(JSON.parse(jsonText(sent)) as Record<string, unknown>, request);
  const stored = readStoredReport(Buffer.from(bytesToStore(report, sent, request)), receivedAt);
  // A report that is read back equals the parsed report.
  expect(stored).toEqual(report.whole());
  return stored;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('text fields of a report', () => {
  test('a text within its limit is stored unchanged, a longer one truncated', () => {
    const random = new RandomReport(1);
    const fields = {
      message: limits.messageChars,
      type: limits.typeChars,
      environment: limits.environmentChars,
      release: limits.releaseChars,
      url: limits.urlChars,
      user_agent: limits.userAgentChars,
    } as const;
    for (let round = 0; round < rounds; round++) {
      for (const [field, limit] of Object.entries(fields) as [keyof typeof fields, number][]) {
        // A blank text counts as absent and may be replaced.
        const text = `x${random.text(random.near(limit - 1))}`;
        const stored = storeAndRead({ message: 'm', [field]: text });
        expectTruncated(stored[field], text, limit);
        expect(stored.truncated).toEqual(text.length <= limit ? {} : { [field]: text.length });
      }
    }
  });

  test('a stack is truncated by lines, characters of a line and bytes', () => {
    const random = new RandomReport(2);
    for (let round = 0; round < rounds; round++) {
      const lines = Array.from({ length: random.pick([1, 3, 249, 250, 251, 400]) }, () =>
        random.text(random.pick([0, 5, 40, 200, 1_023, 1_024, 1_025, 3_000]), random.chance(0.5)).replaceAll('\n', ' '),
      );
      const stacktrace = lines.join('\n');
      const stored = storeAndRead({ message: 'm', stacktrace });
      const short = lines.map((line) => (line.length <= 1_024 ? line : wellFormedHead(line, 1_024) + truncationMark));
      const chosen = lines.length <= 250 ? short : [...short.slice(0, 200), truncationMark, ...short.slice(-50)];
      const isSmall = Buffer.byteLength(chosen.join('\n')) <= limits.stacktraceBytes;
      expect(stored.stacktrace).toBe(isSmall ? chosen.join('\n') : withoutMiddle(stored.stacktrace ?? '', short));
      expect(stored.truncated).toEqual(stored.stacktrace === stacktrace ? {} : { stacktrace: stacktrace.length });
    }
  });
});

function expectTruncated(stored: string | null, text: string, limit: number): void {
  expect(stored).toBe(text.length <= limit ? text : wellFormedHead(text, limit) + truncationMark);
}

/**
 * Returns `stored` if it is a correct truncation by bytes: whole lines at both ends, and no more would fit. Otherwise
 * returns another text.
 */
function withoutMiddle(stored: string, lines: readonly string[]): string {
  const storedLines = stored.split('\n');
  // A line may equal the truncation mark.
  const cuts = storedLines.flatMap((line, head) => {
    const tail = storedLines.length - head - 1;
    const isCut = line === truncationMark && head > 0 && head <= 200 && tail > 0 && tail <= 50;
    return isCut ? [[...lines.slice(0, head), truncationMark, ...lines.slice(-tail)].join('\n')] : [];
  });
  const bytes = Buffer.byteLength(stored) - Buffer.byteLength(`${truncationMark}\n`);
  // Either all 200 + 50 lines are there, or one more line at each end might exceed the limit.
  const longest = 3 * 1_024 + Buffer.byteLength(`${truncationMark}\n`);
  const isAtLimit = storedLines.length === 251 || bytes > limits.stacktraceBytes - 2 * longest;
  return cuts.find((cut) => cut === stored && bytes <= limits.stacktraceBytes && isAtLimit) ?? 'cut in another way';
}

describe('the metadata of a report', () => {
  test('metadata within its limits is stored unchanged; above them, the last keys are dropped', () => {
    const random = new RandomReport(3);
    for (let round = 0; round < rounds; round++) {
      const metadata: Record<string, unknown> = Object.fromEntries(
        Array.from({ length: random.pick([1, 5, 20, 254, 255]) }, (_, index) => [
          `${random.text(random.below(8))}k${index}`,
          random.value(3),
        ]),
      );
      if (random.chance(0.5)) metadata.large = Array.from({ length: 9 + random.below(3) }, () => 'ü'.repeat(3_500));
      const stored = storeAndRead({ message: 'm', metadata });
      const isWhole = bytesOf(metadata) <= limits.metadataBytes;
      const entries = Object.entries(metadata);
      const storedEntries = Object.entries(stored.metadata);
      expect(storedEntries).toEqual(entries.slice(0, isWhole ? entries.length : storedEntries.length));
      expect(bytesOf(stored.metadata)).toBeLessThanOrEqual(limits.metadataBytes);
      expect(stored.truncated).toEqual(isWhole ? {} : { metadata: entries.length });
    }
  });

  test('metadata of exactly 64 KiB is stored unchanged, with one more byte it is not', () => {
    const of = (bytes: number): Record<string, string> => {
      const metadata = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, 'a'.repeat(7_000)]));
      const left = bytes - bytesOf({ ...metadata, k9: '' });
      return { ...metadata, k9: 'a'.repeat(left) };
    };
    const whole = of(limits.metadataBytes);
    expect(bytesOf(whole)).toBe(limits.metadataBytes);
    expect(storeAndRead({ message: 'm', metadata: whole })).toMatchObject({ metadata: whole, truncated: {} });
    const over = storeAndRead({ message: 'm', metadata: of(limits.metadataBytes + 1) });
    expect(Object.keys(over.metadata)).toHaveLength(9);
    expect(over.truncated).toEqual({ metadata: 10 });
  });
});

describe('the breadcrumbs of a report', () => {
  const breadcrumb = (data: object, words: Partial<Breadcrumb> = {}): Breadcrumb => ({
    timestamp: '2026-11-20T09:00:00.000Z',
    type: 'ui',
    category: 'click',
    ...words,
    data: data as Breadcrumb['data'],
  });
  /** Returns a breadcrumb of this number of bytes. */
  const sized = (bytes: number): Breadcrumb =>
    breadcrumb({ text: 'a'.repeat(bytes - bytesOf(breadcrumb({ text: '' }))) });

  test('breadcrumbs of exactly the maximum size are stored unchanged', () => {
    const one = sized(limits.breadcrumbBytes);
    expect(storeAndRead({ message: 'm', breadcrumbs: [one] })).toMatchObject({ breadcrumbs: [one], truncated: {} });
    const over = storeAndRead({ message: 'm', breadcrumbs: [sized(limits.breadcrumbBytes + 1)] });
    expect(bytesOf(over.breadcrumbs[0])).toBeLessThanOrEqual(limits.breadcrumbBytes);
    expect(over.truncated).toEqual({ breadcrumbs: 1 });

    // 32 breadcrumbs, with commas and brackets.
    const all = [...Array.from({ length: 31 }, () => sized(4_095)), sized(limits.breadcrumbsBytes - 31 * 4_096 - 2)];
    expect(bytesOf(all)).toBe(limits.breadcrumbsBytes);
    expect(storeAndRead({ message: 'm', breadcrumbs: all })).toMatchObject({ breadcrumbs: all, truncated: {} });
    const tooMuch = [...all.slice(0, -1), sized(limits.breadcrumbsBytes - 31 * 4_096 - 1)];
    expect(storeAndRead({ message: 'm', breadcrumbs: tooMuch })).toMatchObject({
      breadcrumbs: tooMuch.slice(1),
      truncated: { breadcrumbs: 32 },
    });
  });

  test('a long type or category of a breadcrumb is truncated only if the breadcrumb exceeds its limit', () => {
    const wordy = breadcrumb({ a: 1 }, { type: 't'.repeat(1_500), category: '🎉'.repeat(500) });
    expect(storeAndRead({ message: 'm', breadcrumbs: [wordy] })).toMatchObject({ breadcrumbs: [wordy], truncated: {} });
    const cut = storeAndRead({ message: 'm', breadcrumbs: [breadcrumb({ a: 1 }, { type: 't'.repeat(5_000) })] });
    expect(cut.breadcrumbs).toEqual([breadcrumb({ a: 1 }, { type: 't'.repeat(200) + truncationMark })]);
    expect(cut.truncated).toEqual({ breadcrumbs: 1 });
  });

  test('the newest of random breadcrumbs that fit the limits are stored in order', () => {
    const random = new RandomReport(4);
    for (let round = 0; round < rounds; round++) {
      const sent: unknown[] = Array.from({ length: random.pick([1, 30, 99, 100, 101, 140]) }, (_, index) =>
        random.chance(0.1)
          ? random.pick([null, 5, 'x', [], { type: 7 }, { timestamp: 'never' }, { data: 'text' }])
          : {
              ...breadcrumb({
                index,
                value: random.value(2),
                text: random.text(random.near(random.pick([10, 1_500, 4_000]))),
              }),
            },
      );
      const { breadcrumbs, truncated } = storeAndRead({ message: 'm', breadcrumbs: sent });
      expect(breadcrumbs.length).toBeLessThanOrEqual(limits.breadcrumbs);
      expect(bytesOf(breadcrumbs)).toBeLessThanOrEqual(limits.breadcrumbsBytes);
      for (const stored of breadcrumbs) expect(bytesOf(stored)).toBeLessThanOrEqual(limits.breadcrumbBytes);
      const good = sent.filter((entry) => (entry as Breadcrumb | null)?.data?.index !== undefined) as Breadcrumb[];
      const indexes = breadcrumbs.map(({ data }) => data.index);
      expect(indexes).toEqual(good.slice(good.length - breadcrumbs.length).map(({ data }) => data.index));
      const isWhole = JSON.stringify(breadcrumbs) === JSON.stringify(sent);
      expect(truncated).toEqual(isWhole ? {} : { breadcrumbs: sent.length });
      const whole = good.slice(good.length - breadcrumbs.length);
      const fits = (_: unknown, index: number): boolean => bytesOf(whole[index]) <= limits.breadcrumbBytes;
      expect(breadcrumbs.filter(fits)).toEqual(whole.filter(fits));
    }
  });
});

describe('the list of truncated fields', () => {
  test('a blank message of any length is replaced by the first line of the stack', () => {
    const stored = storeAndRead({ message: ' '.repeat(9_000), stacktrace: 'TypeError: boom\n    at f (a.js:1:2)' });
    expect(stored.message).toBe('TypeError: boom');
    expect(stored.truncated).toEqual({});
  });

  test('truncated optional fields are listed', () => {
    const stored = storeAndRead({
      message: 'm',
      user: { id: 'u'.repeat(201) },
      sdk: { name: 'n'.repeat(300), version: '1' },
    });
    expect(stored.user).toEqual({ id: 'u'.repeat(200) + truncationMark });
    expect(stored.sdk).toEqual({ name: 'n'.repeat(200) + truncationMark, version: '1' });
    expect(stored.truncated).toEqual({ user: 201, sdk: 300 });
    const many = Object.fromEntries(Array.from({ length: 251 }, (_, index) => [`https://a.example/${index}.js`, 'id']));
    const { debug_ids, truncated } = storeAndRead({ message: 'm', debug_ids: many });
    expect(Object.keys(debug_ids)).toHaveLength(250);
    expect(truncated).toEqual({ debug_ids: 251 });
  });

  test('texts of user, tags and device over their limits are truncated and listed', () => {
    const stored = storeAndRead({
      message: 'm',
      user: { id: 'u', name: 'n'.repeat(201), email: 'e'.repeat(200) },
      tags: { short: 'v'.repeat(200), long: 'v'.repeat(201) },
      device: { viewport: '9'.repeat(65), language: 'en' },
    });
    expect(stored.user).toEqual({ id: 'u', name: 'n'.repeat(200) + truncationMark, email: 'e'.repeat(200) });
    expect(stored.tags).toEqual({ short: 'v'.repeat(200), long: 'v'.repeat(200) + truncationMark });
    expect(stored.device).toEqual({ viewport: '9'.repeat(64) + truncationMark, language: 'en' });
    expect(stored.truncated).toEqual({ 'user.name': 201, tags: 2, 'device.viewport': 65 });
  });

  test('texts of a fingerprint over their limit are truncated and listed', () => {
    const whole = storeAndRead({ message: 'm', fingerprint: ['cart', 'f'.repeat(200)] });
    expect([whole.fingerprint, whole.truncated]).toEqual([['cart', 'f'.repeat(200)], {}]);
    const { fingerprint, truncated } = storeAndRead({ message: 'm', fingerprint: ['cart', 'f'.repeat(201)] });
    expect(fingerprint).toEqual(['cart', 'f'.repeat(200) + truncationMark]);
    expect(truncated).toEqual({ fingerprint: 201 });
  });

  test('the first 32 tags are kept', () => {
    const tagsOf = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`tag ${index}`, 'v']));
    expect(storeAndRead({ message: 'm', tags: tagsOf(32) }).truncated).toEqual({});
    const { tags, truncated } = storeAndRead({ message: 'm', tags: tagsOf(33) });
    expect(tags).toEqual(tagsOf(32));
    expect(truncated).toEqual({ tags: 33 });
  });

  test('invalid parts of user, tags and device are dropped and listed', () => {
    const stored = storeAndRead({
      message: 'm',
      user: { id: 'u', name: { first: 'A' }, email: 7, phone: '1' },
      tags: { good: 'v', number: 1, object: {}, nothing: null, ' ': 'blank', ['n'.repeat(65)]: 'long' },
      device: { viewport: [1], language: null, connection: '4g', memory: '8' },
    });
    expect(stored.user).toEqual({ id: 'u' });
    expect(stored.tags).toEqual({ good: 'v' });
    expect(stored.device).toEqual({ connection: '4g' });
    expect(stored.truncated).toEqual({
      'user.name': 'dropped',
      'user.email': 'dropped',
      'device.viewport': 'dropped',
      tags: 6,
    });
  });

  test('tag names such as __proto__ are data', () => {
    const tags = JSON.parse('{"__proto__":"a","constructor":"b","toString":"<script>"}') as object;
    const stored = storeAndRead({ message: 'm', tags });
    expect(JSON.stringify(stored.tags)).toBe(JSON.stringify(tags));
    expect(stored.truncated).toEqual({});
  });

  test('null equals an absent value in every field', () => {
    const fields = ['type', 'stacktrace', 'environment', 'release', 'url', 'user_agent', 'metadata', 'breadcrumbs'];
    const extras = ['timestamp', 'event_id', 'debug_ids', 'user', 'sdk', 'level', 'fingerprint', 'tags', 'device'];
    const nothing = Object.fromEntries([...fields, ...extras].map((name) => [name, null]));
    expect(storeAndRead({ message: 'm', ...nothing })).toEqual(storeAndRead({ message: 'm' }));
    expect(storeAndRead({ message: 'm', ...nothing }).truncated).toEqual({});
  });

  test('a user agent from the header is truncated like one from the body', () => {
    const sent = { project_api_key: 'pk', message: 'm' };
    const report = parseReport(sent, { userAgent: 'a'.repeat(600), receivedAt }).whole();
    expect(report.user_agent).toBe('a'.repeat(512) + truncationMark);
    expect(report.truncated).toEqual({ user_agent: 600 });
  });
});

function wellFormedHead(text: string, chars: number): string {
  const head = text.slice(0, chars);
  return head.isWellFormed() ? head : head.slice(0, -1);
}

class RandomReport extends SeededRandom {
  /** Returns a random length, mostly near a limit. */
  near(limit: number): number {
    return Math.max(
      0,
      this.pick([0, 1, limit - 2, limit - 1, limit, limit + 1, limit + 2, limit * 2, this.below(limit + 1)]),
    );
  }

  /**
   * Returns random Unicode text of at least this number of UTF-16 units, and at most 11 more. Plain text has exactly
   * this number.
   */
  text(units: number, isPlain = false): string {
    if (isPlain) return 'abc '.repeat(units / 4 + 1).slice(0, units);
    let text = '';
    // Long texts repeat, because only the position of the truncation matters.
    const period: string[] = Array.from({ length: 23 }, () => this.#character());
    for (let index = 0; text.length < units; index++) text += period[index % period.length];
    return text;
  }

  #character(): string {
    return this.pick([
      () => String.fromCodePoint(0x20 + this.below(0x5f)),
      () =>
        this.pick([
          '"',
          '\\',
          '/',
          '\u0000',
          '\u0001',
          '\t',
          '\u007f',
          '\u2028',
          '\u2029',
          '\uFEFF',
          '\uFFFD',
          '\uFFFF',
        ]),
      () => String.fromCodePoint(0xa0 + this.below(0x2f60)),
      () => String.fromCodePoint(0x1_0000 + this.below(0xf_ffff)),
      () => this.pick(['🎉', '👩‍👩‍👧', 'e\u0301', '\u{10FFFF}', '…[truncated]', '\\ud800']),
    ])();
  }

  /** Returns random JSON of a few levels. */
  value(depth: number): unknown {
    const leaf = [() => this.below(1_000_000) / 7, () => null, () => this.chance(0.5), () => this.text(this.below(60))];
    if (depth === 0) return this.pick(leaf)();
    return this.pick([
      ...leaf,
      () => Array.from({ length: this.below(4) }, () => this.value(depth - 1)),
      () =>
        Object.fromEntries(
          Array.from({ length: this.below(4) }, () => [this.text(this.below(6)), this.value(depth - 1)]),
        ),
    ])();
  }
}
