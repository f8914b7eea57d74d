import { MapError } from './map-error.ts';

/** The fields of a source map that are read or changed here. All others are kept as they are. */
export interface RawSourceMap {
  version: 3;
  mappings?: string;
  sections?: { offset: { line: number; column: number }; map: RawSourceMap }[];
  sources?: (string | null)[];
  sourcesContent?: (string | null)[];
  debugId?: string;
  debug_id?: string;
  [field: string]: unknown;
}

/** Parses a source map. Throws a MapError if the text is none. A `)]}'` prefix is skipped. */
export function parseSourceMap(text: string): RawSourceMap {
  let map: unknown;
  try {
    map = JSON.parse(text.replace(/^\uFEFF?\)\]\}'[^\n]*\n/, '').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new MapError('map_unreadable', 'The source map is not valid JSON. Build again.', { cause: error });
  }
  if (!isSourceMap(map))
    throw new MapError('map_unreadable', 'The file is no source map of version 3. Build again with source maps.');
  return map;
}

/** Returns the debug id of a map, in lower case, or null. */
export function debugIdOfMap({ debugId, debug_id: older }: RawSourceMap): string | null {
  const id = debugId ?? older;
  return typeof id === 'string' && id !== '' ? id.toLowerCase() : null;
}

/** Returns whether a map has neither sources nor positions, as that of a script that the bundler has generated. */
export function isEmptyMap({ mappings = '', sources = [], sections = [] }: RawSourceMap): boolean {
  return sources.length === 0 && !/[^;,]/.test(mappings) && sections.every(({ map }) => isEmptyMap(map));
}

function isSourceMap(value: unknown): value is RawSourceMap {
  if (!isRecord(value) || value.version !== 3) return false;
  if (!Array.isArray(value.sections)) return typeof value.mappings === 'string' && Array.isArray(value.sources);
  return value.sections.every((section) => isRecord(section) && isOffset(section.offset) && isSourceMap(section.map));
}

function isOffset(value: unknown): boolean {
  return isRecord(value) && Number.isSafeInteger(value.line) && Number.isSafeInteger(value.column);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
