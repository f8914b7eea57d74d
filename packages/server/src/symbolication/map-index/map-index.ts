import type { ContextLine } from '@service/protocol';
import { nextLineStart, withoutLineEnd } from '../../text/line-starts.ts';
import { truncate } from '../../text/truncate.ts';
import { BytesReader } from '../../store/codec/bytes-reader.ts';
import { BlockReader, type BlockCache, type ReadBytes } from './block-reader.ts';
import {
  decodeDirectory,
  directoryBytes,
  directoryTrailerBytes,
  type Directory,
  type IndexedSection,
} from './directory.ts';
import { DamagedIndexError } from './damaged-index-error.ts';
import { findInSlice, type MappedPosition } from './find-in-slice.ts';
import { textHashBytes } from './contents-writer.ts';

/** The number of bytes read at first from the end of an index. They contain the directory of most maps. */
const tailBytes = 32 * 1024;
/** Longer lines are truncated: the source itself may be minified. */
const lineChars = 300;
/** The maximum number of bytes of these characters, including one that is split. */
const lineBytes = lineChars * 3 + 4;

/**
 * A stored map. Looks up a position without reading the whole map. Throws a DamagedIndexError if the index differs from
 * what was written.
 */
export class MapIndex {
  readonly #directory: Directory;
  readonly #positions: BlockReader;
  readonly #names: BlockReader;
  readonly #contents: BlockReader;
  readonly #reader = new BytesReader();

  /** Opens an index. `bytes` is its size. */
  static async open(bytes: number, read: ReadBytes, cache: BlockCache): Promise<MapIndex> {
    const tailStart = Math.max(0, bytes - tailBytes);
    const tail = await read(tailStart, bytes);
    const end = bytes - directoryTrailerBytes;
    const start = end - directoryBytes(tail.subarray(-directoryTrailerBytes));
    if (start < 0) throw new DamagedIndexError('its directory is longer than the index');
    const packed =
      start >= tailStart ? tail.subarray(start - tailStart, -directoryTrailerBytes) : await read(start, end);
    return new MapIndex(decodeDirectory(packed), read, cache);
  }

  private constructor(directory: Directory, read: ReadBytes, cache: BlockCache) {
    this.#directory = directory;
    this.#positions = new BlockReader(directory.positions, read, cache);
    this.#names = new BlockReader(directory.names, read, cache);
    this.#contents = new BlockReader(directory.contents, read, cache);
  }

  /** The approximate size in memory, in bytes. */
  get sizeBytes(): number {
    return this.#directory.sizeBytes;
  }

  /** The last line of the minified file that has a position, counted from 1, or 0. */
  get lines(): number {
    return this.#directory.lines;
  }

  get sourceCount(): number {
    return this.#directory.sources.count;
  }

  /**
   * Returns the original position of a position in the minified file, line and column from 0: that of the last mapping
   * on its line that is not after it. Returns null if no mapping matches, or if the mapping has no source.
   */
  async find(line: number, column: number): Promise<MappedPosition | null> {
    const section = this.#sectionAt(line, column);
    if (section === null) return null;
    const { sections, slices } = this.#directory;
    const { line: firstLine, column: firstColumn, firstSlice, firstSource } = sections[section] as IndexedSection;
    const position = { line: line - firstLine, column: line === firstLine ? column - firstColumn : column };
    const endSlice = sections[section + 1]?.firstSlice ?? slices.count;
    const slice = this.#sliceAt(position.line, position.column, firstSlice, endSlice);
    if (slice === null) return null;
    const start = slices.starts[slice] ?? 0;
    const bytes = await this.#positions.bytes(start, start + (slices.bytes[slice] ?? 0));
    this.#reader.open(bytes, 0, bytes.length);
    const begin = { line: slices.lines[slice] ?? 0, column: slices.columns[slice] ?? 0 };
    const found = findInSlice(this.#reader, begin, position.line, position.column);
    return found && { ...found, source: found.source + firstSource };
  }

  /**
   * Returns the name of a source in its map, and the source root of that map. Returns null if the source has no name.
   */
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

  /** Returns whether the map marks a source as not the app's own. */
  isIgnored(source: number): boolean {
    return this.#directory.sources.ignored[source] === 1;
  }

  /**
   * Returns size and hash (hexadecimal) of a source's content. Equal contents have equal hashes. Returns null if the
   * map does not contain it.
   */
  contentOf(source: number): { bytes: number; hash: string } | null {
    const { contentBytes, hashes } = this.#directory.sources;
    const bytes = contentBytes[source] ?? -1;
    return bytes < 0
      ? null
      : { bytes, hash: hashes.toString('hex', source * textHashBytes, (source + 1) * textHashBytes) };
  }

  async text(source: number): Promise<string | null> {
    const content = this.contentOf(source);
    if (!content) return null;
    const start = this.#directory.sources.contentStarts[source] ?? 0;
    return (await this.#contents.bytes(start, start + content.bytes)).toString();
  }

  /** Returns the existing lines of a range of a source, counted from 1, `last` included. */
  async linesOf(source: number, first: number, last: number): Promise<ContextLine[]> {
    const content = this.contentOf(source);
    const lines: ContextLine[] = [];
    if (!content) return lines;
    const start = this.#directory.sources.contentStarts[source] ?? 0;
    const end = start + content.bytes;
    for (let line = Math.max(1, first); line <= last; line++) {
      const begin = await this.#lineStart(line, start, end);
      // A line end at the end of the text does not begin another line.
      if (begin === null || begin >= end) break;
      lines.push({ line, text: await this.#lineAt(begin, end) });
    }
    return lines;
  }

  /** Returns the start of a line of a source, or null if it has fewer lines. */
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
    let at = Math.max(0, start - from);
    for (; left > 0; left--) {
      at = nextLineStart(bytes, at);
      if (at < 0 && left === 1 && block < last) return this.#startAfterSplit(block + 1);
      if (at < 0 || from + at > end) return null;
    }
    return from + at;
  }

  /** Returns the start of a line whose line end is split between the block before and this one. */
  async #startAfterSplit(block: number): Promise<number> {
    const bytes = await this.#contents.block(block);
    // The rest of a character of UTF-8.
    const rest = bytes.subarray(0, 2).findIndex((byte) => (byte & 0xc0) !== 0x80);
    return this.#contents.startOf(block) + (rest < 0 ? 2 : rest);
  }

  async #lineAt(begin: number, end: number): Promise<string> {
    const bytes = await this.#contents.bytes(begin, Math.min(end, begin + lineBytes));
    const next = nextLineStart(bytes, 0);
    return truncate(withoutLineEnd(bytes.toString('utf8', 0, next < 0 ? bytes.length : next)), lineChars);
  }

  /** Returns the last section that does not begin after a position. */
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

/**
 * Returns the last number from `first` up to `end` for which `holds` is true, or `first - 1`. Expects that `holds` is
 * true up to some number and false from there on.
 */
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
