import type { ContextLine } from '@service/protocol';
import { truncate } from '../../text/truncate.ts';
import { BytesReader } from '../../store/codec/bytes-reader.ts';
import { BlockReader, type BlockCache, type ReadBytes } from './block-reader.ts';
import { decodeDirectory, directoryBytes, trailerBytes, type Directory, type IndexedSection } from './directory.ts';
import { DamagedIndexError } from './damaged-index-error.ts';
import { findInSlice, type OriginalPosition } from './find-in-slice.ts';
import { hashBytes } from './texts-writer.ts';

/** Read at once, from the end of an index: the directory of most maps. */
const tailBytes = 32 * 1024;
/** Of a longer line (the source itself may be minified), so much is shown. */
const lineChars = 300;
/** So many characters take no more bytes, one that is cut in two included. */
const lineBytes = lineChars * 3 + 4;
const newline = 0x0a;

/**
 * A map as it is stored: answers a position without reading the whole map. Throws a DamagedIndexError where it is not
 * what was written.
 */
export class MapIndex {
  readonly #directory: Directory;
  readonly #positions: BlockReader;
  readonly #names: BlockReader;
  readonly #contents: BlockReader;
  readonly #reader = new BytesReader();

  /** Of an index of so many bytes. */
  static async open(bytes: number, read: ReadBytes, cache: BlockCache): Promise<MapIndex> {
    const tailStart = Math.max(0, bytes - tailBytes);
    const tail = await read(tailStart, bytes);
    const end = bytes - trailerBytes;
    const start = end - directoryBytes(tail.subarray(-trailerBytes));
    if (start < 0) throw new DamagedIndexError('its directory is longer than itself');
    const packed = start >= tailStart ? tail.subarray(start - tailStart, -trailerBytes) : await read(start, end);
    return new MapIndex(decodeDirectory(packed), read, cache);
  }

  private constructor(directory: Directory, read: ReadBytes, cache: BlockCache) {
    this.#directory = directory;
    this.#positions = new BlockReader(directory.positions, read, cache);
    this.#names = new BlockReader(directory.names, read, cache);
    this.#contents = new BlockReader(directory.contents, read, cache);
  }

  /** In memory, about. */
  get sizeBytes(): number {
    return this.#directory.sizeBytes;
  }

  /** The last line of the minified file that has a position, counted from 1; 0: there is none. */
  get lines(): number {
    return this.#directory.lines;
  }

  get sourceCount(): number {
    return this.#directory.sources.count;
  }

  /**
   * Where a place of the minified file comes from, line and column from 0: by the last position on its line that does not
   * stand behind it. Null if there is none.
   */
  async find(line: number, column: number): Promise<OriginalPosition | null> {
    const section = this.#sectionAt(line, column);
    if (section === null) return null;
    const { sections, slices } = this.#directory;
    const { line: firstLine, column: firstColumn, firstSlice, firstSource } = sections[section] as IndexedSection;
    const place = { line: line - firstLine, column: line === firstLine ? column - firstColumn : column };
    const endSlice = sections[section + 1]?.firstSlice ?? slices.count;
    const slice = this.#sliceAt(place.line, place.column, firstSlice, endSlice);
    if (slice === null) return null;
    const start = slices.starts[slice] ?? 0;
    const bytes = await this.#positions.bytes(start, start + (slices.bytes[slice] ?? 0));
    this.#reader.open(bytes, 0, bytes.length);
    const begin = { line: slices.lines[slice] ?? 0, column: slices.columns[slice] ?? 0 };
    const found = findInSlice(this.#reader, begin, place.line, place.column);
    return found && { ...found, source: found.source + firstSource };
  }

  /** The name of a source as the map has it, and what the names of its map are relative to. Null: it has no name. */
  async nameOf(source: number): Promise<{ name: string; sourceRoot: string } | null> {
    const { sources } = this.#directory;
    const [start = 0, bytes = -1] = [sources.nameStarts[source], sources.nameBytes[source]];
    if (bytes <= 0) return null;
    const { sourceRoot } = this.#sectionOf(source);
    return {
      name: (await this.#names.bytes(start, start + bytes)).toString(),
      sourceRoot: (await this.#names.bytes(sourceRoot.start, sourceRoot.start + sourceRoot.bytes)).toString(),
    };
  }

  /** Whether the map says that a source is none of the app's own. */
  isIgnored(source: number): boolean {
    return this.#directory.sources.ignored[source] === 1;
  }

  /** The content of a source: how large it is, and a hash that equal ones have in common, in hexadecimal. Null: it is not there. */
  contentOf(source: number): { bytes: number; hash: string } | null {
    const { contentBytes, hashes } = this.#directory.sources;
    const bytes = contentBytes[source] ?? -1;
    return bytes < 0 ? null : { bytes, hash: hashes.toString('hex', source * hashBytes, (source + 1) * hashBytes) };
  }

  async text(source: number): Promise<string | null> {
    const content = this.contentOf(source);
    if (!content) return null;
    const start = this.#directory.sources.contentStarts[source] ?? 0;
    return (await this.#contents.bytes(start, start + content.bytes)).toString();
  }

  /** Some lines of a source, counted from 1, the last one included; those that there are. */
  async linesOf(source: number, first: number, last: number): Promise<ContextLine[]> {
    const content = this.contentOf(source);
    const lines: ContextLine[] = [];
    if (!content) return lines;
    const start = this.#directory.sources.contentStarts[source] ?? 0;
    const end = start + content.bytes;
    for (let line = Math.max(1, first); line <= last; line++) {
      const begin = await this.#lineStart(line, start, end);
      // A newline at the end of the text begins no further line.
      if (begin === null || begin >= end) break;
      lines.push({ line, text: await this.#lineAt(begin, end) });
    }
    return lines;
  }

  /** Where a line of a source begins; null if it has fewer. */
  async #lineStart(line: number, start: number, end: number): Promise<number | null> {
    let left = line - 1;
    if (left === 0) return start;
    const first = this.#contents.blockAt(start);
    const last = this.#contents.blockAt(Math.max(start, end - 1));
    const { linesBefore } = this.#directory;
    const block = lastBefore(first + 1, last + 1, (index) => (linesBefore[index] ?? 0) < left);
    if (block > first) left -= linesBefore[block] ?? 0;
    const from = this.#contents.startOf(block);
    const bytes = await this.#contents.block(block);
    let at = Math.max(0, start - from) - 1;
    for (; left > 0; left--) {
      at = bytes.indexOf(newline, at + 1);
      if (at < 0 || from + at >= end) return null;
    }
    return from + at + 1;
  }

  async #lineAt(begin: number, end: number): Promise<string> {
    const bytes = await this.#contents.bytes(begin, Math.min(end, begin + lineBytes));
    const length = bytes.indexOf(newline);
    const text = bytes.toString('utf8', 0, length < 0 ? bytes.length : length);
    return truncate(text.endsWith('\r') ? text.slice(0, -1) : text, lineChars);
  }

  /** The last section that does not begin behind a place. */
  #sectionAt(line: number, column: number): number | null {
    const { sections } = this.#directory;
    const found = lastBefore(0, sections.length, (index) => {
      const section = sections[index];
      return section !== undefined && (section.line < line || (section.line === line && section.column <= column));
    });
    return found < 0 ? null : found;
  }

  #sliceAt(line: number, column: number, first: number, end: number): number | null {
    const { lines, columns } = this.#directory.slices;
    const found = lastBefore(first, end, (index) => {
      const begin = lines[index] ?? 0;
      return begin < line || (begin === line && (columns[index] ?? 0) <= column);
    });
    return found < first ? null : found;
  }

  #sectionOf(source: number): IndexedSection {
    const { sections } = this.#directory;
    const found = lastBefore(0, sections.length, (index) => (sections[index]?.firstSource ?? 0) <= source);
    return sections[found] as IndexedSection;
  }
}

/** Of numbers from `first` up to `end`, of which those that hold come first: the last one that does, else `first - 1`. */
function lastBefore(first: number, end: number, holds: (index: number) => boolean): number {
  let low = first - 1;
  let high = end;
  while (low < high - 1) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
