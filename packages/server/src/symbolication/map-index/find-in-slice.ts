import type { BytesReader } from '../../store/codec/bytes-reader.ts';
import { columnScale, hasLine, hasOtherSource, hasSource } from './positions-writer.ts';

/** The original position of a position in the minified file. All numbers count from 0. */
export interface MappedPosition {
  /** The number of the source in its map. */
  source: number;
  line: number;
  column: number;
}

/**
 * Returns the last mapping of a slice that is on the same line as a position and not after it. Returns null if no
 * mapping matches or if it has no source.
 */
export function findInSlice(
  reader: BytesReader,
  begin: { line: number; column: number },
  line: number,
  column: number,
): MappedPosition | null {
  const at = { ...begin };
  const original = { source: 0, line: 0, column: 0 };
  let found: MappedPosition | null = null;
  while (!reader.isAtEnd) {
    const head = reader.uint();
    const flags = head % columnScale;
    const step = (head - flags) / columnScale;
    if (flags & hasLine) {
      at.line += reader.uint();
      at.column = step;
    } else {
      at.column += step;
    }
    if (at.line > line || (at.line === line && at.column > column)) break;
    if (flags & hasOtherSource) original.source += reader.int();
    if (flags & hasSource) {
      original.line += reader.int();
      original.column += reader.int();
    }
    if (at.line === line) found = flags & hasSource ? { ...original, source: original.source - 1 } : null;
  }
  return found;
}
