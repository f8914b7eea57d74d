import type { RawIndexMap, RawSourceMap } from 'source-map';

/** A map as `source-map` reads it. */
export type SourceMapJson = RawSourceMap | RawIndexMap;

/** The JSON of a map that was checked when it was uploaded, with the prefix that keeps scripts from including it taken off. */
export function parseSourceMap(bytes: Uint8Array): SourceMapJson {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return JSON.parse(text.replace(/^\uFEFF?(\)\]\}'[^\n]*\n)?/, '')) as SourceMapJson;
}
