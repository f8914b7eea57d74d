import { expect, test } from 'vitest';
import type { SourceMapRecord } from '../../src/store/records/source-map-records.ts';
import { MapLookup } from '../../src/symbolication/map-lookup.ts';

function mapOf(fields: Partial<SourceMapRecord>): SourceMapRecord {
  return { id: 1, created_at: '2026-01-01T00:00:00.000Z', release: '1', debug_id: null, ...fields } as SourceMapRecord;
}

/** Returns why a map matches a file, or undefined. */
const reasonOf = (map: Partial<SourceMapRecord>, file: string): string | undefined =>
  new MapLookup([mapOf(map)]).candidates(file, '1', null)[0]?.why;

test.each([
  ['my app.js', 'my%20app.js'],
  ['büro.js', 'b%C3%BCro.js'],
  ['日本.js', '%E6%97%A5%E6%9C%AC.js'],
  ['[id]-71ab.js', '%5Bid%5D-71ab.js'],
  ['[id]-71ab.js', '[id]-71ab.js'],
  ['a%23b.js', 'a%23b.js'],
  ['100%.js', '100%.js'],
])('a map of %s matches the URL %s that a browser reports, by path and by name', (name, reported) => {
  const file = `https://shop.example/my%20shop/${reported}`;
  expect(reasonOf({ file: name, url: `~/my shop/${name}` }, file)).toBe('release_url');
  expect(reasonOf({ file: name, url: null }, file)).toBe('release_file');
  expect(new MapLookup([mapOf({ file: name, url: `~/my shop/${name}`, release: '0' })]).releasesOf(file)).toEqual([
    '0',
  ]);
});
