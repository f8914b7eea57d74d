import { SourceMapConsumer, type RawSourceMap } from 'source-map';
import { describe, expect, test } from 'vitest';
import { randomFraction } from '../../../../test/test-utils/seeded-random.mjs';
import { DamagedIndexError } from '../../src/symbolication/map-index/damaged-index-error.ts';
import { sourceName } from '../../src/symbolication/source-name.ts';
import { indexMap, openIndex } from './index-map.ts';

const map = (contents: (string | null)[], more: object = {}) => ({
  version: 3,
  sources: contents.map((_, index) => `src/${index}.ts`),
  sourcesContent: contents,
  names: [],
  mappings: 'AAAA',
  ...more,
});

/** Returns the lines as JavaScript counts them: the text behind the last line end is a line only if it is not empty. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

const random = randomFraction(3);
const words = ['const', 'ü', '😀', '\t', '"', '\\', '/', '\u2028', '\u0000', 'total', '漢字', '\r\n', '\n', '\n', '\n'];
const randomText = (length: number): string =>
  Array.from({ length }, () => words[Math.floor(random() * words.length)]).join('');

const contents = [
  'one line',
  'one line\n',
  '',
  '\n',
  '\r\n\r\nthird',
  'first\r\r\nthird\rfourth\u2028\u2029sixth\u2028',
  null,
  ...Array.from({ length: 30 }, (_, index) => randomText(index * 40)),
  // Several blocks long, with lines that are longer than a block.
  randomText(60_000),
  `${'x'.repeat(100_000)}\n${'é'.repeat(50_000)}\nshort\n${'y'.repeat(70_000)}`,
  '\n'.repeat(100_000),
  'the last one',
];

describe('the content of a source in an index', () => {
  test.each([1, 13, 1 << 16])(
    'is returned unchanged, whatever surrounds it (in pieces of %i bytes)',
    async (pieceBytes) => {
      const few = pieceBytes === 1 ? contents.slice(0, 30) : contents;
      const index = await openIndex(indexMap(map(few), pieceBytes).bytes);
      for (const [source, text] of few.entries()) expect(await index.text(source)).toBe(text);
    },
  );

  test('can be read line by line, with long lines truncated', async () => {
    const index = await openIndex(indexMap(map(contents)).bytes);
    for (const [source, text] of contents.entries()) {
      const lines = linesOf(text ?? '').map((line, at) => ({ line: at + 1, text: head(line) }));
      for (const at of [1, 2, 3, Math.ceil(lines.length / 2), lines.length - 1, lines.length, lines.length + 9]) {
        const wanted = lines.slice(Math.max(0, at - 6), at + 5);
        expect([source, at, await index.linesOf(source, at - 5, at + 5)]).toEqual([source, at, wanted]);
      }
    }
  });

  test.each(['\n', '\r\n', '\r', '\u2028', '\u2029', '\r\r\n', '\u2028\r'])(
    'has lines that end with %j, also between two blocks',
    async (lineEnd) => {
      // The size of a block is a power of two.
      for (let before = 0; before < 6; before++) {
        const text = `${'x'.repeat((1 << 18) - before)}${lineEnd}second${lineEnd}third ü`;
        const index = await openIndex(indexMap(map([text])).bytes);
        const [, ...wanted] = linesOf(text).map((line, at) => ({ line: at + 1, text: line }));
        expect([before, await index.linesOf(0, 2, 9)]).toEqual([before, wanted]);
      }
    },
  );

  test('has U+FFFD for half of a surrogate pair, and the character for an escaped pair', async () => {
    const text = JSON.stringify(map(['?'])).replace(
      '"?"',
      String.raw`"\ud83d\ude00 \ud83d! \ude00 \ud83d\ud83d\ude00\ud83d"`,
    );
    for (const pieceBytes of [1, 2, 5, 1_000]) {
      const index = await openIndex(indexMap(text, pieceBytes).bytes);
      expect(await index.text(0)).toBe('😀 \ufffd! \ufffd \ufffd😀\ufffd');
    }
  });

  test('has a hash that only equal contents share', async () => {
    const index = await openIndex(indexMap(map(['same', 'other', 'same', null])).bytes);
    const other = await openIndex(indexMap(map([randomText(90_000), 'same'])).bytes);
    const [first, second, third] = [0, 1, 2].map((source) => index.contentOf(source));
    expect(first).toEqual({ bytes: 4, hash: expect.stringMatching(/^[\da-f]{32}$/) });
    expect(third).toEqual(first);
    expect(other.contentOf(1)).toEqual(first);
    expect(second?.hash).not.toBe(first?.hash);
    expect(index.contentOf(3)).toBeNull();
  });
});

function head(line: string): string {
  const cut = line.slice(0, 300);
  return line.length > 300 && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

describe('the name of a source in an index', () => {
  const parts = [
    'src',
    '..',
    '.',
    '',
    'a b',
    'webpack:',
    'webpack://shop',
    '@scope',
    'ü',
    'x?y',
    'z#1',
    '%2e',
    '\\',
    'C:',
    'app.ts',
    '~',
    '[id]',
    '+page',
  ];
  const randomName = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 5) }, () => parts[Math.floor(random() * parts.length)]).join('/');

  test('equals that of source-map, with the source root', async () => {
    const wrong: string[] = [];
    for (let round = 0; round < 3_000; round++) {
      const name =
        random() < 0.1
          ? (['javascript:alert(1)', '/etc/passwd', '//host/x', 'data:,x'][round % 4] as string)
          : randomName();
      const sourceRoot = random() < 0.5 ? '' : randomName();
      const raw = { version: 3, sources: [name], sourceRoot, names: [], mappings: 'AAAA' } as unknown as RawSourceMap;
      const wanted = await SourceMapConsumer.with(raw, null, ({ sources }) => sources[0]).catch(() => name);
      const results = await sourceName(name, sourceRoot);
      if (results !== wanted) wrong.push(`${JSON.stringify([name, sourceRoot])} is ${wanted}, not ${results}`);
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  test('is relative to the source root of its section', async () => {
    const section = (line: number, sources: (string | null)[], sourceRoot?: string) => ({
      offset: { line, column: 0 },
      map: { version: 3, sources, names: [], mappings: '', sourceRoot },
    });
    const sections = [
      section(0, []),
      section(1, ['a.ts', null], 'one'),
      section(2, []),
      section(3, ['b.ts'], 'two/'),
      section(4, ['c.ts']),
    ];
    const index = await openIndex(indexMap({ version: 3, sections }).bytes);
    expect(index.sourceCount).toBe(4);
    expect(await Promise.all([0, 1, 2, 3].map((source) => index.nameOf(source)))).toEqual([
      { name: 'a.ts', sourceRoot: 'one' },
      null,
      { name: 'b.ts', sourceRoot: 'two/' },
      { name: 'c.ts', sourceRoot: '' },
    ]);
  });
});

describe('a damaged index', () => {
  test('is detected, or returns the same: never anything else', async () => {
    const whole = indexMap(map([randomText(3_000), randomText(40_000)], { mappings: 'AAAA;ACAA;ADAA' })).bytes;
    const read = async (bytes: Buffer): Promise<unknown> => {
      try {
        const index = await openIndex(bytes);
        const [position, name, text, lines] = [
          await index.find(1, 0),
          await index.nameOf(1),
          await index.text(1),
          await index.linesOf(0, 3, 9),
        ];
        return { position, name, text, lines, of: index.lines };
      } catch (error) {
        if (error instanceof DamagedIndexError) return 'damaged';
        throw error;
      }
    };
    const sound = await read(whole);
    const results: unknown[] = [];
    for (let round = 0; round < 600; round++) {
      const bytes = Buffer.from(whole);
      // The end of an index contains the directory, so it gets more tries than one in a thousand.
      const at = round % 2 === 0 ? Math.floor(random() * bytes.length) : bytes.length - 1 - Math.floor(random() * 200);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      results.push(await read(bytes));
    }
    const found = results.filter((one) => one === 'damaged');
    expect(found.length).toBeGreaterThan(300);
    expect(results.filter((one) => one !== 'damaged')).toEqual(Array(results.length - found.length).fill(sound));
    for (const length of [0, 5, 12, 40, whole.length - 1])
      expect(await read(whole.subarray(0, length))).toBe('damaged');
    expect(await read(Buffer.alloc(50_000, 1))).toBe('damaged');
  });
});
