import { limits } from '@service/protocol';
import type { RawIndexMap, RawSourceMap } from 'source-map';
import { ProblemError } from '../problem.ts';
import { isRecord } from '../validation.ts';

const debugIdChars = 64;

/** What is known of a map without decoding its positions. */
export interface SourceMapFacts {
  /** The minified file it says it belongs to. */
  file: string | null;
  debugId: string | null;
  sources: number;
}

/** A map as `source-map` reads it. */
export type SourceMapJson = RawSourceMap | RawIndexMap;

/**
 * Reads an uploaded map and checks that it can resolve anything.
 * Throws `invalid_source_map` with the reason: whoever uploads wants to know now, not at the first error.
 */
export async function checkSourceMap(bytes: Uint8Array): Promise<SourceMapFacts> {
  const map = parseSourceMap(bytes);
  const sources = countSources(map);
  if (sources > limits.sourceMapSources) throw invalid(`It names more than ${limits.sourceMapSources} sources.`);
  const debugId = textOrNull(map.debugId) ?? textOrNull(map.debug_id);
  if (debugId !== null && debugId.length > debugIdChars)
    throw invalid(`Its debug id is longer than ${debugIdChars} characters.`);
  await decode(map as unknown as SourceMapJson);
  return { file: textOrNull(map.file), debugId, sources };
}

/** The JSON of a map, with the prefix that keeps scripts from including it taken off. */
export function parseSourceMap(bytes: Uint8Array): Record<string, unknown> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    .replace(/^\uFEFF?(\)\]\}'[^\n]*\n)?/, '');
  let map: unknown;
  try {
    map = JSON.parse(text);
  } catch (error) {
    throw invalid('It is not JSON. Was the script itself uploaded, or a page that answered in its place?', error);
  }
  if (!isRecord(map)) throw invalid('It is not a JSON object.');
  if (map.version !== 3) throw invalid('Its version is not 3.');
  return map;
}

/** Counts the sources, checking the shape on the way: `source-map` takes many a wrong shape for an empty map. */
function countSources(map: Record<string, unknown>): number {
  if (map.sections === undefined) {
    assertShape(map);
    return (map.sources as unknown[]).length;
  }
  if (!Array.isArray(map.sections)) throw invalid('Its sections are not a list.');
  let sources = 0;
  for (const section of map.sections as unknown[]) {
    const { map: inner = null, offset = null } = isRecord(section) ? section : {};
    if (!isRecord(offset) || !isPlace(offset.line) || !isPlace(offset.column))
      throw invalid('A section does not say where it begins.');
    if (!isRecord(inner) || inner.sections !== undefined) throw invalid('A section holds no map.');
    assertShape(inner);
    sources += (inner.sources as unknown[]).length;
  }
  return sources;
}

function isPlace(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function assertShape({ mappings, sources, names, sourcesContent }: Record<string, unknown>): void {
  if (typeof mappings !== 'string') throw invalid('It has no mappings.');
  if (!isListOfTexts(sources)) throw invalid('Its sources are not a list of names.');
  if (names !== undefined && !isListOfTexts(names)) throw invalid('Its names are not a list of texts.');
  if (sourcesContent !== undefined && sourcesContent !== null && !isListOfTexts(sourcesContent)) {
    throw invalid('Its sourcesContent is not a list of texts.');
  }
}

async function decode(map: SourceMapJson): Promise<void> {
  const { SourceMapConsumer } = await import('source-map');
  try {
    await SourceMapConsumer.with(map, null, (consumer) => {
      // Positions are decoded when the first one of a section is asked for.
      for (const { line, column } of sectionStarts(map)) consumer.originalPositionFor({ line: line + 1, column });
    });
  } catch (error) {
    throw invalid('Its mappings can not be decoded.', error);
  }
}

function sectionStarts(map: SourceMapJson): { line: number; column: number }[] {
  return 'sections' in map ? map.sections.map(({ offset }) => offset) : [{ line: 0, column: 0 }];
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' || item === null);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function invalid(reason: string, cause?: unknown): ProblemError {
  return new ProblemError('invalid_source_map', `The file is no source map that can be used. ${reason}`, { cause });
}
