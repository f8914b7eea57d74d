import { nextLineStartOf } from '../../text/line-starts.ts';
import type { FunctionSpan } from './name-functions.ts';

/** The functions of a text, packed as boundaries. From each boundary to the next one the function is the same. */
export interface PackedFunctions {
  names: string[];
  /** The positions of the boundaries in order: lines from 1, columns from 0. */
  lines: Uint32Array;
  columns: Uint32Array;
  /** The index of the function's name, or one of the two constants below. */
  functions: Int32Array;
}

const namelessIndex = -1;
const outside = -2;

/** Packs the functions of a text. They may be nested but never overlap. */
export function packFunctions(text: string, spans: readonly FunctionSpan[]): PackedFunctions {
  const boundaries = boundariesOf(spans);
  const names: string[] = [];
  const known = new Map<string, number>();
  const lines = new Uint32Array(boundaries.length);
  const columns = new Uint32Array(boundaries.length);
  const functions = new Int32Array(boundaries.length);
  let line = 1;
  let lineStart = 0;
  let nextStart = nextLineStartOf(text, lineStart);
  for (const [index, { at, name }] of boundaries.entries()) {
    while (nextStart <= at) {
      line++;
      lineStart = nextStart;
      nextStart = nextLineStartOf(text, lineStart);
    }
    lines[index] = line;
    columns[index] = at - lineStart;
    functions[index] = typeof name === 'string' ? numberOf(name) : name;
  }
  return { names, lines, columns, functions };

  function numberOf(name: string): number {
    let number = known.get(name);
    if (number === undefined) {
      number = names.push(name) - 1;
      known.set(name, number);
    }
    return number;
  }
}

/**
 * Returns the name of the innermost function at a position, line from 1, column from 0. Outside of functions, returns
 * that of the next function that begins on the same line. Returns null if it has no name or there is no such function.
 */
export function functionAt(packed: PackedFunctions, line: number, column: number): string | null {
  const { names, lines, functions } = packed;
  const index = lastUpTo(packed, line, column);
  const here = index === -1 ? outside : (functions[index] ?? outside);
  // Such a line declares the function, or passes it to a call.
  const begins = here === outside && lines[index + 1] === line ? (functions[index + 1] ?? outside) : here;
  return begins < 0 ? null : (names[begins] ?? null);
}

/** Returns the approximate size in memory, in bytes. */
export function packedSize({ names, lines }: PackedFunctions): number {
  return 500 + lines.length * 12 + names.reduce((sum, name) => sum + 32 + name.length, 0);
}

function lastUpTo({ lines, columns }: PackedFunctions, line: number, column: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = lines[middle] ?? 0;
    if (at < line || (at === line && (columns[middle] ?? 0) <= column)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

interface Boundary {
  at: number;
  name: string | typeof namelessIndex | typeof outside;
}

/** Returns the boundaries where the innermost function changes. */
function boundariesOf(spans: readonly FunctionSpan[]): Boundary[] {
  const boundaries: Boundary[] = [];
  const open: FunctionSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    closeUpTo(span.start);
    boundaries.push({ at: span.start, name: span.name ?? namelessIndex });
    open.push(span);
  }
  closeUpTo(Infinity);
  return boundaries;

  function closeUpTo(at: number): void {
    for (let last = open.at(-1); last && last.end <= at; last = open.at(-1)) {
      open.pop();
      const around = open.at(-1);
      boundaries.push({ at: last.end, name: around ? (around.name ?? namelessIndex) : outside });
    }
  }
}
