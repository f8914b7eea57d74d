import type { RawSourceMap } from './raw-source-map.ts';

/** Text that is inserted into one line of a script: line and column from 0, columns in UTF-16 units. */
export interface Insertion {
  line: number;
  column: number;
  length: number;
}

/**
 * Returns the map of a script after an insertion. Every other position still maps to the same source position: only
 * generated columns on the line of the insertion change.
 */
export function shiftMap(map: RawSourceMap, insertion: Insertion): RawSourceMap {
  if (!map.sections) return { ...map, mappings: shiftMappings(map.mappings ?? '', insertion) };
  const sections = map.sections.map((section) => {
    const { line, column } = section.offset;
    if (line > insertion.line) return section;
    if (line === insertion.line && column >= insertion.column)
      return { ...section, offset: { line, column: column + insertion.length } };
    const within = {
      line: insertion.line - line,
      column: line === insertion.line ? insertion.column - column : insertion.column,
      length: insertion.length,
    };
    return { ...section, map: shiftMap(section.map, within) };
  });
  return { ...map, sections };
}

function shiftMappings(mappings: string, { line, column, length }: Insertion): string {
  let start = 0;
  for (let skipped = 0; skipped < line; skipped++) {
    start = mappings.indexOf(';', start) + 1;
    // The map ends before the line.
    if (start === 0) return mappings;
  }
  const semicolon = mappings.indexOf(';', start);
  const end = semicolon < 0 ? mappings.length : semicolon;
  if (start === end) return mappings;
  let before = 0;
  let beforeShifted = 0;
  const segments = mappings
    .slice(start, end)
    .split(',')
    .map((segment) => {
      if (segment === '') return segment;
      // Only the first field of a segment is the generated column. It is relative to the previous segment of the line.
      const { value, length: chars } = decodeVlq(segment);
      const at = before + value;
      const shifted = at >= column ? at + length : at;
      const field = encodeVlq(shifted - beforeShifted);
      before = at;
      beforeShifted = shifted;
      return field + segment.slice(chars);
    });
  return mappings.slice(0, start) + segments.join(',') + mappings.slice(end);
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes the first number of a segment, and returns how many characters it has. */
function decodeVlq(segment: string): { value: number; length: number } {
  let length = 0;
  let bits = 0;
  let scale = 1;
  for (;;) {
    const digit = digits.indexOf(segment[length] ?? 'A');
    length++;
    bits += (digit & 31) * scale;
    if ((digit & 32) === 0) break;
    scale *= 32;
  }
  const value = Math.floor(bits / 2);
  return { value: bits % 2 === 1 ? -value : value, length };
}

function encodeVlq(value: number): string {
  let bits = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    const digit = bits % 32;
    bits = Math.floor(bits / 32);
    text += digits[bits > 0 ? digit + 32 : digit];
  } while (bits > 0);
  return text;
}
