import { AnyMap, decodedMappings, type SourceMapInput, type TraceMap } from '@jridgewell/trace-mapping';
import { MapError } from './map-error.ts';
import type { ScriptWithMap } from './inject-debug-id.ts';

/** A position in a script and the source position to which its map leads. Lines and columns from 1. */
interface SamplePosition {
  line: number;
  column: number;
  source: string;
  sourceLine: number;
  sourceColumn: number;
}

export interface CheckedMap {
  sources: number;
  sample: SamplePosition;
}

/** The maximum number of positions of a map that are compared with its script. */
const maxCompared = 4_000;
/**
 * The maximum share of misplaced positions. Bundlers write a few positions within words, and some behind the end of a
 * line. A map of another build has them everywhere.
 */
const maxMisplaced = 0.2;
const minCompared = 20;

/**
 * Checks that a map has sources and belongs to its script. Returns the number of its sources and a position for the
 * proof. Throws a MapError that says what is wrong.
 */
export function checkMap({ code, map }: ScriptWithMap): CheckedMap {
  const traced = trace(map);
  const lines = code.split(/\r\n|[\n\r\u2028\u2029]/);
  const positions = positionsOf(traced);
  if (positions.length === 0)
    throw new MapError('map_unreadable', 'The source map contains no positions. Build with full source maps.');
  if (!traced.sourcesContent?.some((content) => content !== null))
    throw new MapError(
      'sources_missing',
      'The source map contains no sources. Set the option of your bundler that includes them (sourcesContent).',
    );
  if (!belongsTo(lines, positions))
    throw new MapError('other_build', 'The positions of the source map do not fit the script: they are of two builds.');
  const sample = samplePosition(
    traced,
    positions.filter((position) => isWithin(lines, position)),
  );
  if (!sample)
    throw new MapError('sources_missing', 'The source map contains sources only for parts of the script without code.');
  return { sources: traced.sources.length, sample };
}

function trace(map: ScriptWithMap['map']): TraceMap {
  try {
    return new AnyMap(map as unknown as SourceMapInput);
  } catch (error) {
    throw new MapError('map_unreadable', 'The source map is damaged. Build again.', { cause: error });
  }
}

/** A position of a map with a source; lines and columns from 0. */
interface Position {
  line: number;
  column: number;
  source: number;
  sourceLine: number;
  sourceColumn: number;
}

/** Returns some positions that have a source, spread over the whole script. */
function positionsOf(map: TraceMap): Position[] {
  const lines = readMappings(map);
  const count = lines.reduce((sum, line) => sum + line.length, 0);
  const step = Math.max(1, Math.ceil(count / maxCompared));
  const positions: Position[] = [];
  let index = 0;
  for (const [line, segments] of lines.entries())
    for (const [at, [column, source, sourceLine, sourceColumn]] of segments.entries()) {
      if (index++ % step !== 0 || source === undefined || sourceLine === undefined || sourceColumn === undefined)
        continue;
      // Of several segments at one column, only one is found.
      if (segments[at - 1]?.[0] === column || segments[at + 1]?.[0] === column) continue;
      positions.push({ line, column, source, sourceLine, sourceColumn });
    }
  return positions;
}

function readMappings(map: TraceMap): ReturnType<typeof decodedMappings> {
  try {
    return decodedMappings(map);
  } catch (error) {
    throw new MapError('map_unreadable', 'The source map has damaged positions. Build again.', { cause: error });
  }
}

/**
 * Returns whether only a few positions are outside the script or within words. If the map has only a few positions,
 * none may be outside the script.
 */
function belongsTo(lines: readonly string[], positions: readonly Position[]): boolean {
  const outside = positions.filter((position) => !isWithin(lines, position)).length;
  const withinWords = positions.filter(({ line, column }) =>
    /^[\w$]{2}$/.test(lines[line]?.slice(Math.max(0, column - 1), column + 1) ?? ''),
  ).length;
  const share = (outside + withinWords) / positions.length;
  return positions.length < minCompared ? outside === 0 : share <= maxMisplaced;
}

function isWithin(lines: readonly string[], { line, column }: Position): boolean {
  return column <= (lines[line] ?? '').length && line < lines.length;
}

/** Returns the middle one of the positions whose source is in the map, or null if no source is. */
function samplePosition(map: TraceMap, positions: readonly Position[]): SamplePosition | null {
  const usable = positions.filter(({ source }) => {
    const content = map.sourcesContent?.[source];
    return typeof content === 'string' && content !== '' && map.sources[source];
  });
  const found = usable[Math.floor(usable.length / 2)];
  if (!found) return null;
  return {
    line: found.line + 1,
    column: found.column + 1,
    source: map.sources[found.source] ?? '',
    sourceLine: found.sourceLine + 1,
    sourceColumn: found.sourceColumn + 1,
  };
}
