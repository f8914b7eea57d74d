import { BytesWriter } from '../../store/codec/bytes-writer.ts';
import { MappingsError, type PositionSink } from './mappings-check.ts';
import type { BlockWriter } from './block-writer.ts';

/** The number of segments in a slice. A lookup reads a slice from its beginning. */
const sliceSegments = 512;
/** The number of positions that are sorted together. Bundlers reorder those of a line, but only near each other. */
const windowSegments = 64 * 1024;
const smallWindow = 1024;

// Flags in the first number of a segment, which also contains the column.
export const hasLine = 1;
export const hasSource = 2;
export const hasOtherSource = 4;
export const columnScale = 8;

/** The start of a slice in the minified file and in the bytes of all slices. */
export interface PositionSlice {
  line: number;
  column: number;
  start: number;
  bytes: number;
}

/**
 * Writes the positions of mappings in order, in slices that can be read separately. If several mappings have one
 * position, the last one is kept, because `source-map` returns it for the positions after it.
 */
export class PositionsWriter implements PositionSink {
  /** The slices of the current map. */
  slices: PositionSlice[] = [];
  /** The last line with a position in the current map, counted from 1. */
  lines = 0;
  readonly #blocks: BlockWriter;
  #window: Window | null = null;
  /** The last position, not written yet because a later one may replace it. */
  readonly #held = new Uint32Array(fields);
  #hasHeld = false;
  readonly #slice = new BytesWriter();
  #segments = 0;
  /** The last written segment, to which the next one is relative. */
  readonly #before = new Uint32Array(fields);

  constructor(blocks: BlockWriter) {
    this.#blocks = blocks;
  }

  position(line: number, column: number, source: number, originalLine: number, originalColumn: number): void {
    const window = (this.#window ??= spareWindows.pop() ?? new Window());
    window.add(line, column, source + 1, originalLine, originalColumn);
    if (window.isFull) window.drain(window.size / 2, (segments, at) => this.#hold(segments, at));
  }

  endPositions(): void {
    const window = this.#window;
    if (window) {
      window.drain(window.size, (segments, at) => this.#hold(segments, at));
      if (spareWindows.length < maxSpareWindows) spareWindows.push(window);
      this.#window = null;
    }
    if (this.#hasHeld) this.#write();
    this.#hasHeld = false;
    this.#endSlice();
  }

  /** Returns the slices of the map that ends, and starts the next map. */
  take(): { slices: PositionSlice[]; lines: number } {
    const { slices, lines } = this;
    this.slices = [];
    this.lines = 0;
    return { slices, lines };
  }

  #hold(segments: Uint32Array, at: number): void {
    const held = this.#held;
    const order = this.#hasHeld ? comparePositions(segments, at, held, 0) : 1;
    if (order === 0) {
      if (compareOrigins(segments, at, held, 0) < 0) return;
    } else if (order < 0) {
      throw new MappingsError(`Its mappings are too far out of order in line ${(segments[at] ?? 0) + 1}.`);
    } else if (this.#hasHeld) {
      this.#write();
    }
    for (let field = 0; field < fields; field++) held[field] = segments[at + field] ?? 0;
    this.#hasHeld = true;
  }

  /** Writes the held position. */
  #write(): void {
    const held = this.#held;
    const before = this.#before;
    const line = held[0] ?? 0;
    const column = held[1] ?? 0;
    const source = held[2] ?? 0;
    if (this.#segments === 0) {
      before.fill(0);
      before[0] = line;
      before[1] = column;
      this.slices.push({ line, column, start: 0, bytes: 0 });
    }
    const lineStep = line - (before[0] ?? 0);
    const columnStep = lineStep > 0 ? column : column - (before[1] ?? 0);
    const sourceStep = source > 0 ? source - (before[2] ?? 0) : 0;
    const writer = this.#slice;
    writer.uint(
      columnStep * columnScale +
        (lineStep > 0 ? hasLine : 0) +
        (source > 0 ? hasSource : 0) +
        (sourceStep === 0 ? 0 : hasOtherSource),
    );
    if (lineStep > 0) writer.uint(lineStep);
    if (sourceStep !== 0) writer.int(sourceStep);
    before[0] = line;
    before[1] = column;
    if (source > 0) {
      writer.int((held[3] ?? 0) - (before[3] ?? 0));
      writer.int((held[4] ?? 0) - (before[4] ?? 0));
      before.set(held);
    }
    this.lines = line + 1;
    if (++this.#segments === sliceSegments) this.#endSlice();
  }

  #endSlice(): void {
    const slice = this.slices.at(-1);
    if (this.#segments === 0 || !slice) return;
    const { bytes, size } = this.#slice;
    this.#blocks.writeWhole(bytes, 0, size);
    slice.start = this.#blocks.size - size;
    slice.bytes = size;
    this.#slice.clear();
    this.#segments = 0;
  }
}

const fields = 5;

/** Positions whose order may still change. */
class Window {
  size = 0;
  #segments = new Uint32Array(smallWindow * fields);
  #isSorted = true;

  get isFull(): boolean {
    return this.size === windowSegments;
  }

  add(line: number, column: number, source: number, originalLine: number, originalColumn: number): void {
    const at = this.size++ * fields;
    if (at === this.#segments.length) {
      const grown = new Uint32Array(at * 2);
      grown.set(this.#segments);
      this.#segments = grown;
    }
    const segments = this.#segments;
    segments[at] = line;
    segments[at + 1] = column;
    segments[at + 2] = source;
    segments[at + 3] = originalLine;
    segments[at + 4] = originalColumn;
    if (at > 0 && this.#isSorted && comparePositions(segments, at - fields, segments, at) > 0) this.#isSorted = false;
  }

  /** Passes the first positions to `each` in order, and removes them. */
  drain(count: number, each: (segments: Uint32Array, at: number) => void): void {
    if (!this.#isSorted) this.#sort();
    for (let index = 0; index < count; index++) each(this.#segments, index * fields);
    this.#segments.copyWithin(0, count * fields, this.size * fields);
    this.size -= count;
    this.#isSorted = true;
  }

  #sort(): void {
    const segments = this.#segments.slice(0, this.size * fields);
    const order = Uint32Array.from({ length: this.size }, (_, index) => index * fields);
    order.sort((a, b) => comparePositions(segments, a, segments, b) || a - b);
    for (const [index, at] of order.entries()) this.#segments.set(segments.subarray(at, at + fields), index * fields);
  }
}

/**
 * Windows for the next maps. Those of ended maps would be freed late: a thread that allocates few objects collects its
 * garbage rarely, and had 60 MB of it.
 */
const spareWindows: Window[] = [];
const maxSpareWindows = 4;

/** Compares positions in the minified file. */
function comparePositions(a: Uint32Array, atA: number, b: Uint32Array, atB: number): number {
  return (a[atA] ?? 0) - (b[atB] ?? 0) || (a[atA + 1] ?? 0) - (b[atB + 1] ?? 0);
}

/**
 * Compares mappings of one position as `source-map` does: by source and original position, those without a source last.
 */
function compareOrigins(a: Uint32Array, atA: number, b: Uint32Array, atB: number): number {
  const [source = 0, other = 0] = [a[atA + 2], b[atB + 2]];
  if (source === 0 || other === 0) return source === other ? 0 : source === 0 ? 1 : -1;
  return source - other || (a[atA + 3] ?? 0) - (b[atB + 3] ?? 0) || (a[atA + 4] ?? 0) - (b[atB + 4] ?? 0);
}
