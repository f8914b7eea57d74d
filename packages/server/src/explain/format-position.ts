import type { Frame } from '@service/protocol';

/** Formats the position in a file: `:12:9`; `:12` for Python, whose frames have no column; nothing without a line. */
export function formatPosition({ line, column }: Pick<Frame, 'line' | 'column'>): string {
  if (line === null) return '';
  return column === null ? `:${line}` : `:${line}:${column}`;
}
