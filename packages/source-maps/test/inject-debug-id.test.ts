import { AnyMap, originalPositionFor, type SourceMapInput } from '@jridgewell/trace-mapping';
import { encode } from '@jridgewell/sourcemap-codec';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { debugIdOfScript, findMapReference, injectDebugId, MapError, parseSourceMap } from '../src/index.ts';
import type { RawSourceMap } from '../src/raw-source-map.ts';

const source = 'src/cart.ts';

/** Builds a map with these positions. Lines and columns from 0. */
function mapOf(places: [line: number, column: number][], more: Partial<RawSourceMap> = {}): RawSourceMap {
  const lines: [number, number, number, number][][] = [];
  for (const [index, [line, column]] of places.entries()) {
    while (lines.length <= line) lines.push([]);
    lines[line]?.push([column, 0, index, index * 2]);
  }
  return { version: 3, sources: [source], sourcesContent: ['total'], names: [], mappings: encode(lines), ...more };
}

const lookUp = (map: RawSourceMap, line: number, column: number): object =>
  originalPositionFor(new AnyMap(map as unknown as SourceMapInput), { line: line + 1, column });

/** Returns the line and column of an offset in a text, from 0. */
function placeOf(text: string, index: number): [line: number, column: number] {
  const lines = text.slice(0, index).split('\n');
  return [lines.length - 1, lines.at(-1)?.length ?? 0];
}

const scripts: Record<string, string> = {
  plain: 'var total=1;result=total+1',
  'with a directive': '"use strict";var total=1;result=function(){return this===undefined?2:3}()',
  'with directives and comments': '/*! cart */\n// more\n"use client"\n\'use strict\' /* x */;result=2',
  'with a directive that a line ends': '"use strict"\nvar total=1;result=2',
  'with a text that is no directive': '"a".length;result=2',
  'with a text that goes on in the next line': '"a"\n.length;result=2',
  'of a program': '#!/usr/bin/env node\n"use strict";result=2',
  'of several lines': 'var a=1;\nvar b=a;\n\nresult=b+1',
  'with a byte order mark': '\uFEFFvar total=1;result=2',
  empty: '',
};

describe('injectDebugId', () => {
  test.each(Object.entries(scripts))('keeps positions and behavior of a script %s', (_, code) => {
    const words = [...code.matchAll(/\b(?:total|result|length)\b/g)].map(({ index }) => index);
    const map = mapOf(words.map((index) => placeOf(code, index)));
    const injected = injectDebugId({ code, map });
    const moved = [...injected.code.matchAll(/\b(?:total|result|length)\b/g)].map(({ index }) => index);
    expect(moved).toHaveLength(words.length);
    for (const [index, at] of moved.entries())
      expect(lookUp(injected.map, ...placeOf(injected.code, at))).toMatchObject({
        source,
        line: index + 1,
        column: index * 2,
      });
    const globals: Record<string, unknown> = { result: null };
    const run = (text: string): unknown =>
      runInNewContext(`${text.replace(/^\uFEFF?(#!.*)?/, '')}\n;this.result`, globals);
    const expected = run(code);
    expect(run(injected.code)).toEqual(expected);
    expect(Object.values(globals.__serviceDebugIds ?? {})).toEqual([injected.debugId]);
  });

  test('keeps the strict mode of a script', () => {
    const code = '"use strict";result=function(){return this===undefined}()';
    expect(
      runInNewContext(`${injectDebugId({ code, map: mapOf([[0, 13]]) }).code}\n;this.result`, { result: null }),
    ).toBe(true);
  });

  test('writes the id into the script and its map, before the comment that names the map', () => {
    const code = 'total()\n//# sourceMappingURL=app.js.map\n';
    const injected = injectDebugId({ code, map: mapOf([[0, 0]]) });
    expect(injected.map.debugId).toBe(injected.debugId);
    expect(injected.code.endsWith(`\n//# debugId=${injected.debugId}\n//# sourceMappingURL=app.js.map\n`)).toBe(true);
    expect(debugIdOfScript(injected.code)).toBe(injected.debugId);
    expect(injected.debugId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('finds the comment that names the map behind code, where Rollup writes it with `compact`', () => {
    const code = 'var total=1;export{total};//# sourceMappingURL=a.js.map';
    const injected = injectDebugId({ code, map: mapOf([[0, 0]]) });
    expect(injected.code).toMatch(
      new RegExp(`export\\{total\\};\n//# debugId=${injected.debugId}\n//# sourceMappingURL=a.js.map$`),
    );
    expect(injectDebugId(injected)).toEqual({ ...injected, isChanged: false });
    expect(findMapReference('var text="//# sourceMappingURL=a.js.map"')).toBeNull();
  });

  test('changes nothing the second time', () => {
    const once = injectDebugId({ code: '"use strict";total()', map: mapOf([[0, 13]]) });
    const twice = injectDebugId(once);
    expect(twice).toEqual({ ...once, isChanged: false });
  });

  test('changes a map whose id is not written as ECMA-426 says', () => {
    const { code, map, debugId } = injectDebugId({ code: 'total()', map: mapOf([[0, 0]]) });
    const { debugId: _, ...others } = map;
    for (const given of [{ debug_id: debugId }, { debugId: debugId.toUpperCase() }])
      expect(injectDebugId({ code, map: { ...others, ...given } })).toMatchObject({
        isChanged: true,
        map: { debugId },
      });
  });

  test('gives equal builds equal ids, and others different ones', () => {
    const script = { code: 'total()', map: mapOf([[0, 0]]) };
    const { debugId } = injectDebugId(script);
    expect(injectDebugId(script).debugId).toBe(debugId);
    expect(injectDebugId({ ...script, code: 'total( )' }).debugId).not.toBe(debugId);
    expect(injectDebugId({ ...script, map: mapOf([[0, 1]]) }).debugId).not.toBe(debugId);
  });

  test('keeps the id that a bundler has written, and registers it', () => {
    const debugId = '85314830-023f-4cf1-a267-535f4e37bb17';
    const ofScript = injectDebugId({ code: `total()\n//# debugId=${debugId.toUpperCase()}`, map: mapOf([[0, 0]]) });
    expect(ofScript).toMatchObject({ debugId, isChanged: true, map: { debugId } });
    expect(ofScript.code).toContain(`.stack]="${debugId}"`);
    const ofMap = injectDebugId({ code: 'total()', map: mapOf([[0, 0]], { debug_id: debugId }) });
    expect(ofMap).toMatchObject({ debugId, map: { debugId } });
    expect(debugIdOfScript(ofMap.code)).toBe(debugId);
  });

  test('rejects a script and a map with different ids', () => {
    const code = 'total()\n//# debugId=85314830-023f-4cf1-a267-535f4e37bb17';
    const map = mapOf([[0, 0]], { debugId: '11111111-023f-4cf1-a267-535f4e37bb17' });
    expect(() => injectDebugId({ code, map })).toThrow(MapError);
    expect(() => injectDebugId({ code, map })).toThrow(/of two builds/);
  });

  test('moves the sections of an index map', () => {
    const code = '"use strict";one();two()\nthree()';
    const section = (line: number, column: number): object => ({
      offset: { line, column },
      map: mapOf([
        [0, 0],
        [0, 3],
      ]),
    });
    const map = parseSourceMap(
      JSON.stringify({ version: 3, sections: [section(0, 0), section(0, 19), section(1, 0)] }),
    );
    const injected = injectDebugId({ code, map });
    for (const word of ['two', 'three']) {
      const before = placeOf(code, code.indexOf(word));
      const after = placeOf(injected.code, injected.code.indexOf(word));
      expect(lookUp(injected.map, ...after)).toEqual(lookUp(map, ...before));
    }
    expect(injected.map.sections?.map(({ offset }) => offset)).toEqual([
      { line: 0, column: 0 },
      { line: 0, column: 19 + injected.code.indexOf('one') - code.indexOf('one') },
      { line: 1, column: 0 },
    ]);
  });

  test.each([
    '',
    '[]',
    'null',
    '{}',
    '{"version":2}',
    '{"version":3,"sections":[{}]}',
    '{"version":3,"mappings":1}',
    'x',
  ])('rejects %j as a map', (text) => {
    expect(() => parseSourceMap(text)).toThrow(MapError);
  });
});
