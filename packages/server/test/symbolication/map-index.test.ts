import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { SourceMapConsumer, type RawSourceMap } from 'source-map';
import { describe, expect, test } from 'vitest';
import { randomFraction } from '../../../../test/test-utils/seeded-random.mjs';
import type { MapIndex } from '../../src/symbolication/map-index/map-index.ts';
import { sourceName } from '../../src/symbolication/source-name.ts';
import { indexMap, openIndex } from './index-map.ts';

/** A position in the minified file: line from 1, column from 0. */
type Position = [line: number, column: number];

/** Returns the original positions that `source-map` finds, in the format of the index. */
async function expectedPositions(map: object, positions: Position[]): Promise<string[]> {
  return SourceMapConsumer.with(map as RawSourceMap, null, (consumer) =>
    positions.map(([line, column]) => {
      const { source, line: at, column: from } = consumer.originalPositionFor({ line, column });
      return source === null || source === 'null' ? 'nothing' : `${source}:${at}:${from}`;
    }),
  );
}

async function foundPositions(index: MapIndex, positions: Position[]): Promise<string[]> {
  const results: string[] = [];
  const names = new Map<number, string | null>();
  for (const [line, column] of positions) {
    const found = await index.find(line - 1, column);
    if (found && !names.has(found.source)) {
      const named = await index.nameOf(found.source);
      names.set(found.source, named && (await sourceName(named.name, named.sourceRoot)));
    }
    const name = found && names.get(found.source);
    results.push(name ? `${name}:${found.line + 1}:${found.column}` : 'nothing');
  }
  return results;
}

/** Compares look-ups and returns those that differ. */
async function differences(map: object, positions: Position[]): Promise<string[]> {
  const [wanted, results] = [
    await expectedPositions(map, positions),
    await foundPositions(await openIndex(indexMap(map).bytes), positions),
  ];
  return positions.flatMap((position, index) =>
    wanted[index] === results[index] ? [] : `${position.join(':')} is ${wanted[index]}, not ${results[index]}`,
  );
}

/** Returns a real map: that of a bundle of esbuild, with its minified text. */
async function bundle(entry: string): Promise<{ map: RawSourceMap; script: string }> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    outdir: 'out',
    write: false,
    bundle: true,
    minify: true,
    sourcemap: 'external',
    format: 'esm',
    platform: 'node',
    external: ['@libsql/client', 'db0', 'ioredis'],
    logLevel: 'silent',
  });
  const text = (name: string): string => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? '';
  return { map: JSON.parse(text('.js.map')) as RawSourceMap, script: text('.js') };
}

function randomPositions(script: string, count: number, random: () => number): Position[] {
  const lines = script
    .split('\n')
    .flatMap((text, index) => (text.length > 0 ? { line: index + 1, chars: text.length } : []));
  // Long lines contain most positions.
  const ends: number[] = [];
  for (const { chars } of lines) ends.push((ends.at(-1) ?? 0) + chars);
  return Array.from({ length: count }, (): Position => {
    const at = Math.floor(random() * (ends.at(-1) ?? 0));
    const found = lines[ends.findIndex((end) => end > at)];
    return [found?.line ?? 1, Math.floor(random() * ((found?.chars ?? 0) + 20))];
  });
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function vlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += digits[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}

/** Returns mappings that no bundler writes: out of order, several at one position, some without a source. */
function randomMappings(random: () => number, lines: number, sources: number, perLine = 40): string {
  const below = (limit: number): number => Math.floor(random() * limit);
  const last = { source: 0, line: 0, column: 0 };
  return Array.from({ length: lines }, () => {
    let column = 0;
    return Array.from({ length: random() < 0.2 ? 0 : below(perLine) }, () => {
      const step = random() < 0.1 ? -below(Math.min(column + 1, 60)) : random() < 0.15 ? 0 : below(30);
      column += step;
      if (random() < 0.1) return vlq(step);
      const next = { source: below(sources), line: below(500), column: below(120) };
      const text = [step, next.source - last.source, next.line - last.line, next.column - last.column]
        .map(vlq)
        .join('');
      Object.assign(last, next);
      return random() < 0.2 ? `${text}A` : text;
    }).join(',');
  }).join(';');
}

function randomMap(random: () => number, lines: number, perLine?: number) {
  const sources = Array.from({ length: 7 }, (_, index) => `src/file-${index}.ts`);
  return { version: 3, sources, names: ['n'], mappings: randomMappings(random, lines, sources.length, perLine) };
}

/** Returns positions with several mappings, of which `source-map` itself returns any. */
async function ambiguousPositions(map: object): Promise<Set<string>> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  await SourceMapConsumer.with(map as RawSourceMap, null, (consumer) =>
    consumer.eachMapping(({ generatedLine, generatedColumn }) => {
      const position = `${generatedLine}:${generatedColumn}`;
      (seen.has(position) ? twice : seen).add(position);
    }),
  );
  return twice;
}

async function unambiguousPositions(
  map: object,
  count: number,
  lines: number,
  random: () => number,
): Promise<Position[]> {
  const ambiguous = await ambiguousPositions(map);
  return Array.from({ length: count }, (): Position => {
    for (;;) {
      const position: Position = [1 + Math.floor(random() * (lines + 2)), Math.floor(random() * 700)];
      if (!ambiguous.has(position.join(':'))) return position;
    }
  });
}

describe('an index returns the same positions as source-map', () => {
  test.each([
    ['our server', '../../src/index.ts'],
    ['the SDK', '../../../browser/src/index.ts'],
  ])('in a real bundle: %s', async (_, entry) => {
    const { map, script } = await bundle(entry);
    expect(await differences(map, randomPositions(script, 20_000, randomFraction(20_261_121)))).toEqual([]);
  });

  test('in generated maps, out of order and with several mappings at one position', async () => {
    const random = randomFraction(1);
    for (let round = 0; round < 20; round++) {
      const map = randomMap(random, 60);
      expect(await differences(map, await unambiguousPositions(map, 1_000, 60, random))).toEqual([]);
    }
    const long = randomMap(random, 2, 300_000);
    expect(await differences(long, await unambiguousPositions(long, 1_000, 2, random))).toEqual([]);
  });

  test('in index maps, where a section hides the mappings behind its beginning', async () => {
    const random = randomFraction(2);
    for (let round = 0; round < 20; round++) {
      let line = 0;
      let column = 0;
      const sections = Array.from({ length: 8 }, () => {
        const step = Math.floor(random() * 12);
        column = step === 0 ? column + 1 + Math.floor(random() * 200) : Math.floor(random() * 50);
        line += step;
        return { offset: { line, column }, map: randomMap(random, 15) };
      });
      const map = { version: 3, sections };
      const ambiguous = await Promise.all(sections.map((section) => ambiguousPositions(section.map)));
      const positions = (
        await unambiguousPositions({ ...sections[0]?.map, mappings: '' }, 1_400, line + 15, random)
      ).filter(([at, from]) =>
        sections.every(
          ({ offset }, index) =>
            !ambiguous[index]?.has(`${at - offset.line}:${at - 1 === offset.line ? from - offset.column : from}`),
        ),
      );
      expect(positions.length).toBeGreaterThan(900);
      expect(await differences(map, positions)).toEqual([]);
    }
  });
});
