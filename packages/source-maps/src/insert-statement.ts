import { findInsertion } from './find-insertion.ts';
import type { RawSourceMap } from './raw-source-map.ts';
import { shiftMap } from './shift-mappings.ts';

/**
 * Inserts a statement of one line at the beginning of a script, and moves the positions of its map. A script that
 * contains the statement stays unchanged.
 */
export function insertStatement<Map extends RawSourceMap | null>(
  script: { code: string; map: Map },
  statement: string,
): { code: string; map: Map } {
  const { code, map } = script;
  if (code.includes(statement)) return script;
  const at = findInsertion(code);
  const before = code.slice(0, at);
  const lines = before.split(/\r\n|[\n\r\u2028\u2029]/);
  const insertion = { line: lines.length - 1, column: lines.at(-1)?.length ?? 0, length: statement.length };
  return { code: before + statement + code.slice(at), map: map && (shiftMap(map, insertion) as Map) };
}
