import { SourceMapConsumer, type RawSourceMap } from 'source-map';
import { describe, expect, test } from 'vitest';
import { randomFraction } from '../../../../test/test-utils/seeded-random.mjs';
import { InvalidMapError } from '../../src/symbolication/indexing/invalid-map.ts';
import type { SourceMapFacts } from '../../src/symbolication/indexing/map-structure.ts';
import { SourceMapCheck } from '../../src/symbolication/indexing/source-map-check.ts';
import { isFull } from '../../../../test/test-utils/depth.ts';

const depth = isFull ? 60_000 : 3_000;

/**
 * Returns the result of the check for a text that arrives in pieces of these sizes: the facts, or the reason for
 * rejection.
 */
function check(text: string | Uint8Array, pieceBytes = 1 << 16): SourceMapFacts | string {
  const bytes = Buffer.from(text as string);
  try {
    const reader = new SourceMapCheck();
    for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes));
    return reader.finish();
  } catch (error) {
    if (error instanceof InvalidMapError) return error.message;
    throw error;
  }
}

/** Returns whether `source-map` can read every position of a map. */
async function isReadable(text: string): Promise<boolean> {
  try {
    const json = JSON.parse(text.replace(/^\uFEFF?(\)\]\}'[^\n]*\n)?/, '')) as RawSourceMap;
    // Sequential: if several sections fail concurrently, `source-map` leaves all rejections but one unhandled.
    const { sections: parts = [] } = json as unknown as { sections?: { map: RawSourceMap }[] | null };
    for (const { map } of parts ?? []) await readAll(map);
    await readAll(json);
    return true;
  } catch {
    return false;
  }
}

function readAll(map: RawSourceMap): Promise<void> {
  return SourceMapConsumer.with(map, null, (consumer) => consumer.eachMapping(() => undefined));
}

const plain = {
  version: 3,
  file: 'app.js',
  sourceRoot: '',
  sources: ['src/a.ts', null, '../b.ts'],
  sourcesContent: ['const a = "ü";\n', null, '\u0000'],
  names: ['a', 'b', 'constructor'],
  mappings: 'AAAAA,IACA;;ACAAC,EAAE,gCCCC;A,E',
  debugId: '85314830-023f-4cf1-a267-535f4e37bb17',
};
const sections = {
  version: 3,
  file: 'all.js',
  sections: [
    { offset: { line: 0, column: 0 }, map: plain },
    { offset: { line: 9, column: 5 }, map: { version: 3, sources: ['c.ts'], names: [], mappings: 'AAAA;AACA' } },
  ],
};

describe('an uploaded map is checked as it arrives', () => {
  test.each([1, 2, 3, 7, 1_000])('in pieces of %i bytes', (pieceBytes) => {
    const facts = { file: 'app.js', debugId: plain.debugId, sources: 3, isIndexMap: false };
    expect(check(JSON.stringify(plain), pieceBytes)).toEqual(facts);
    expect(check(`\uFEFF)]}'\n${JSON.stringify(plain, null, 2)}`, pieceBytes)).toEqual(facts);
    expect(check(`)]}', mine\r\n${JSON.stringify(plain)}`, pieceBytes)).toEqual(facts);
    expect(check(JSON.stringify(sections), pieceBytes)).toEqual({
      file: 'all.js',
      debugId: null,
      sources: 4,
      isIndexMap: true,
    });
    const escaped = JSON.stringify(plain).replace('"mappings":"AAAAA', String.raw`"m\u0061ppings":"\u0041AAAA`);
    expect(check(escaped, pieceBytes)).toEqual(facts);
    expect(check(JSON.stringify({ ...plain, file: '😀/é' }), pieceBytes)).toMatchObject({ file: '😀/é' });
  });

  test('names may follow the mappings that need them, as esbuild writes them', () => {
    const { names, mappings, ...rest } = plain;
    expect(check(JSON.stringify({ mappings, ...rest, names }))).toMatchObject({ sources: 3 });
  });

  test('a slash in mappings may be escaped, as PHP writes it', () => {
    expect(check(JSON.stringify({ ...plain, mappings: 'A//AAAA' }).replaceAll('/', String.raw`\/`))).toContain(
      'below zero',
    );
  });

  test('debug ids of both spellings are read, but only strings', () => {
    expect(check(JSON.stringify({ ...plain, debugId: undefined, debug_id: 'x' }))).toMatchObject({ debugId: 'x' });
    expect(check(JSON.stringify({ ...plain, debug_id: 'x' }))).toMatchObject({ debugId: plain.debugId });
    expect(check(JSON.stringify({ ...plain, debugId: 7 }))).toMatchObject({ debugId: null });
    expect(check(JSON.stringify({ ...plain, debugId: '' }))).toMatchObject({ debugId: null });
    expect(check(JSON.stringify({ ...plain, debugId: 'x'.repeat(65) }))).toContain('debug id is longer');
  });

  test.each([
    ['', 'It is not JSON.'],
    ['{', 'It is not JSON.'],
    [")]}'", 'It is not JSON.'],
    [`)]}' ${JSON.stringify(plain)}`, 'It is not JSON.'],
    [`${JSON.stringify(plain)}}`, 'It is not JSON.'],
    [`${JSON.stringify(plain)}\u0000`, 'It is not JSON.'],
    ['{"a":'.repeat(200), 'It is not JSON.'],
    ['[]', 'It is not a JSON object.'],
    ['"text"', 'It is not a JSON object.'],
    ['3', 'It is not a JSON object.'],
    ['{}', 'Its version is not 3.'],
    [JSON.stringify({ ...plain, version: 2 }), 'Its version is not 3.'],
    [JSON.stringify({ ...plain, mappings: undefined }), 'It has no mappings.'],
    [JSON.stringify({ ...plain, mappings: [] }), 'It has no mappings.'],
    [JSON.stringify({ ...plain, sources: undefined }), 'Its sources are not a list of names.'],
    [JSON.stringify({ ...plain, sources: [['a']] }), 'Its sources are not a list of names.'],
    [JSON.stringify({ ...plain, sources: [7] }), 'Its sources are not a list of names.'],
    [JSON.stringify({ ...plain, sourcesContent: [{}] }), 'Its sourcesContent are not a list of strings.'],
    [JSON.stringify({ ...plain, sourceRoot: 7 }), 'Its sourceRoot is not a string.'],
    [JSON.stringify({ ...plain, names: null }), 'Its names are not a list of strings.'],
    [JSON.stringify({ ...plain, mappings: 'AAAA,!' }), 'there is a character that is not base 64 in line 1.'],
    [JSON.stringify({ ...plain, mappings: 'AAAA;AA' }), 'there is an incomplete segment in line 2.'],
    [JSON.stringify({ ...plain, mappings: 'AAAA;g' }), 'there is an incomplete number in line 2.'],
    [JSON.stringify({ ...plain, mappings: 'D' }), 'there is a position below zero or beyond 32 bits in line 1.'],
    [JSON.stringify({ ...plain, mappings: 'gggggggggggggA' }), 'there is a number that is too long in line 1.'],
    [JSON.stringify({ ...plain, mappings: 'AGAA' }), 'refer to a source that it does not have.'],
    [JSON.stringify({ ...plain, mappings: 'AAAAG' }), 'refer to a name that it does not have.'],
    [JSON.stringify({ ...plain, sources: undefined }).replace('{', '{"mappings":"",'), 'It has mappings twice.'],
    [JSON.stringify({ ...sections, sections: 5 }), 'Its sections are not a list.'],
    [JSON.stringify({ ...sections, sections: [5] }), 'A section has no valid offset.'],
    [JSON.stringify({ ...sections, sections: [{ offset: { line: 0, column: 0 } }] }), 'A section contains no map.'],
    [JSON.stringify({ ...sections, sections: sections.sections.toReversed() }), 'Its sections are not in order.'],
    [
      JSON.stringify({ ...sections, sections: [{ offset: { line: 0, column: 0 }, map: sections }] }),
      'A section contains no map.',
    ],
    [
      JSON.stringify({ ...sections, sections: [{ offset: { line: -1, column: 0 }, map: plain }] }),
      'A section has no valid offset.',
    ],
    [
      JSON.stringify({ ...sections, sections: [{ offset: { line: 0, column: 0 }, map: plain, url: 'https://a/' }] }),
      'A section contains no map.',
    ],
    [JSON.stringify({ ...plain, sources: Array.from({ length: 100_001 }, () => 'a') }), 'more than 100000 sources'],
  ])('%.60s… is rejected with the reason', (text, reason) => {
    for (const pieceBytes of [1, 1 << 16]) {
      if (text.length > 10_000 && pieceBytes === 1) continue;
      expect(check(text, pieceBytes)).toContain(reason);
    }
  });
});

describe('the check is as strict as source-map', () => {
  test(`accepts and rejects the same mutants of maps as source-map (${depth})`, async () => {
    const random = randomFraction(20_261_121);
    const wrong: string[] = [];
    let accepted = 0;
    for (let round = 0; round < depth; round++) {
      const text = mutant(random);
      const result = check(text, 1 + Math.floor(random() * 40));
      const isAccepted = typeof result !== 'string';
      if (isAccepted) accepted++;
      if (isAccepted !== (await isReadable(text)) && !(typeof result === 'string' && isStricterOnPurpose(result)))
        wrong.push(`${String(isAccepted)} ${JSON.stringify(result)} ${text}`);
    }
    expect(wrong.slice(0, 10)).toEqual([]);
    // Both accepted and rejected maps have occurred.
    expect(accepted).toBeGreaterThan(depth / 10);
    expect(accepted).toBeLessThan((depth * 9) / 10);
  });
});

/** The cases where the check is stricter. `docs/decisions` has the reasons. */
function isStricterOnPurpose(reason: string): boolean {
  return /are not a list of|twice|is not a text|A section|sections are not|no mappings|version is not 3/.test(reason);
}

function mutant(random: () => number): string {
  const base = random() < 0.3 ? sections : plain;
  const kind = random();
  if (kind < 0.6) return JSON.stringify(base).replace('AAAAA,IACA;;ACAAC,EAAE,gCCCC;A,E', () => mutantMappings(random));
  let text = JSON.stringify(base);
  const changes = 1 + Math.floor(random() * 3);
  for (let change = 0; change < changes; change++) {
    const at = Math.floor(random() * text.length);
    const characters = '{}[],:"\\0123eE.-+trufalsn/uAg; \n\u0001é';
    const put = random() < 0.3 ? '' : (characters[Math.floor(random() * characters.length)] ?? '');
    text = text.slice(0, at) + put + text.slice(at + (random() < 0.5 ? 1 : 0));
  }
  return text;
}

function mutantMappings(random: () => number): string {
  const alphabet = 'AAAAAACCCDEGgghIP/+,,,;;;;';
  const rare = '!=-_ä}9';
  const length = Math.floor(random() * 24);
  return Array.from({ length }, () => {
    const from = random() < 0.01 ? rare : alphabet;
    return from[Math.floor(random() * from.length)];
  }).join('');
}
