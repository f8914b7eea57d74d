import { deflateSync, inflateSync } from 'node:zlib';
import { BytesReader } from '../../store/codec/bytes-reader.ts';
import { BytesWriter } from '../../store/codec/bytes-writer.ts';
import { DamagedIndexError } from './damaged-index-error.ts';
import type { Block } from './block-writer.ts';
import type { Slice } from './positions-writer.ts';
import { hashBytes, type Content, type Text } from './texts-writer.ts';

/*
 * An index is blocks, in the order in which they were filled, and behind them a directory of what lies where. The last
 * bytes say how long the directory is, and that this is an index of a form that is known here.
 */

const mark = Buffer.from('smindex1');
export const trailerBytes = 4 + mark.length;
/** A directory that is larger is of no map that was taken in. */
const maxDirectoryBytes = 32 * 1024 * 1024;

/** What is written of one map, the whole one or that of a section. */
export interface IndexedMap {
  /** Where its first line and column stand in the minified file. */
  line: number;
  column: number;
  /** Among the names. */
  sourceRoot: Text | null;
  slices: readonly Slice[];
  /** Of each source its name, if it has one, and its content, if it is there. */
  names: readonly (Text | null)[];
  contents: readonly (Content | null)[];
  /** Sources that are none of the app's own. */
  ignored: ReadonlySet<number>;
}

export interface WrittenIndex {
  maps: readonly IndexedMap[];
  /** The last line of the minified file with a position, counted from 1; 0: there is none. */
  lines: number;
  positions: readonly Block[];
  names: readonly Block[];
  contents: readonly Block[];
  linesBefore: readonly number[];
}

export function encodeDirectory(index: WrittenIndex): Buffer {
  const writer = new BytesWriter();
  writer.uint(index.lines);
  for (const blocks of [index.positions, index.names, index.contents]) writeBlocks(writer, blocks);
  for (const block of index.contents.keys()) writer.uint(index.linesBefore[block] ?? 0);
  writer.uint(index.maps.length);
  let start = 0;
  for (const map of index.maps) {
    for (const size of [map.line, map.column, map.slices.length, map.names.length]) writer.uint(size);
    for (const size of [map.sourceRoot?.start ?? 0, map.sourceRoot?.bytes ?? 0]) writer.uint(size);
    for (const slice of map.slices) {
      writer.uint(slice.line);
      writer.uint(slice.column);
      start = writeText(writer, slice, start);
    }
  }
  const ends = { name: 0, content: 0 };
  for (const { names, contents, ignored } of index.maps) {
    for (const [source, name] of names.entries()) {
      const content = contents[source] ?? null;
      writer.uint((name ? 1 : 0) + (content ? 2 : 0) + (ignored.has(source) ? 4 : 0));
      if (name) ends.name = writeText(writer, name, ends.name);
      if (content) {
        ends.content = writeText(writer, content, ends.content);
        writer.raw(content.hash);
      }
    }
  }
  const packed = deflateSync(writer.bytes.subarray(0, writer.size));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packed.length);
  return Buffer.concat([packed, length, mark]);
}

function writeBlocks(writer: BytesWriter, blocks: readonly Block[]): void {
  writer.uint(blocks.length);
  let offset = 0;
  for (const block of blocks) {
    writer.uint(block.offset - offset);
    writer.uint(block.packedBytes);
    writer.uint(block.bytes);
    offset = block.offset;
  }
}

function writeText(writer: BytesWriter, text: Text, before: number): number {
  writer.uint(text.start - before);
  writer.uint(text.bytes);
  return text.start + text.bytes;
}

/** Blocks of one kind. */
export interface BlockTable {
  count: number;
  /** Where each begins in the bytes of its kind; one more for the end. */
  starts: Float64Array;
  offsets: Float64Array;
  packedBytes: Uint32Array;
}

/** The parts of a map, and from which slice and source on they are. */
export interface IndexedSection {
  line: number;
  column: number;
  /** Among the names; without any bytes if there is none. */
  sourceRoot: Text;
  firstSlice: number;
  firstSource: number;
}

/** What lies where in an index: numbers in typed arrays, for a map may have a hundred thousand sources. */
export interface Directory {
  lines: number;
  positions: BlockTable;
  names: BlockTable;
  contents: BlockTable;
  linesBefore: Uint32Array;
  sections: readonly IndexedSection[];
  slices: { count: number; lines: Uint32Array; columns: Uint32Array; starts: Float64Array; bytes: Uint32Array };
  sources: {
    count: number;
    nameStarts: Float64Array;
    /** -1: it has none. */
    nameBytes: Int32Array;
    contentStarts: Float64Array;
    /** -1: it is not there. */
    contentBytes: Int32Array;
    hashes: Buffer;
    ignored: Uint8Array;
  };
  /** In memory, about. */
  sizeBytes: number;
}

/** How many bytes the directory has that stands before these last bytes of an index. Throws a DamagedIndexError. */
export function directoryBytes(trailer: Uint8Array): number {
  const bytes = Buffer.from(trailer.buffer, trailer.byteOffset, trailer.byteLength);
  if (bytes.length !== trailerBytes || !bytes.subarray(4).equals(mark)) throw new DamagedIndexError('it has no end');
  return bytes.readUInt32LE(0);
}

/** Throws a DamagedIndexError. */
export function decodeDirectory(packed: Uint8Array): Directory {
  let bytes: Buffer;
  try {
    bytes = inflateSync(packed, { maxOutputLength: maxDirectoryBytes });
  } catch (cause) {
    throw new DamagedIndexError('its directory can not be unpacked', { cause });
  }
  const reader = new BytesReader(true);
  reader.open(bytes, 0, bytes.length);
  const count = (): number => {
    const value = reader.uint();
    // Each of what is counted takes a byte at least.
    if (value > bytes.length) throw new DamagedIndexError('its directory is no directory');
    return value;
  };
  const lines = reader.uint();
  const [positions, names, contents] = [
    readBlocks(reader, count),
    readBlocks(reader, count),
    readBlocks(reader, count),
  ];
  const linesBefore = Uint32Array.from({ length: contents.count }, () => reader.uint());
  const { sections, slices, sourceCount } = readSections(reader, count);
  const sources = readSources(reader, sourceCount);
  if (reader.at !== bytes.length) throw new DamagedIndexError('its directory is no directory');
  const parts = { positions, names, contents, linesBefore, slices, sources };
  const sizeBytes = 2_000 + sections.length * 200 + arrayBytes(Object.values(parts));
  return { lines, ...parts, sections, sizeBytes };
}

/** Of the typed arrays in what is given. */
function arrayBytes(parts: readonly object[]): number {
  const arrays = parts.flatMap((part) => (ArrayBuffer.isView(part) ? part : Object.values(part)));
  return arrays.reduce((sum: number, array: unknown) => sum + (ArrayBuffer.isView(array) ? array.byteLength : 0), 0);
}

function readBlocks(reader: BytesReader, count: () => number): BlockTable {
  const length = count();
  const starts = new Float64Array(length + 1);
  const offsets = new Float64Array(length);
  const packedBytes = new Uint32Array(length);
  let offset = 0;
  for (let index = 0; index < length; index++) {
    offset += reader.uint();
    offsets[index] = offset;
    packedBytes[index] = reader.uint();
    starts[index + 1] = (starts[index] ?? 0) + reader.uint();
  }
  return { count: length, starts, offsets, packedBytes };
}

function readSections(reader: BytesReader, count: () => number) {
  const sections: IndexedSection[] = [];
  const lines: number[] = [];
  const columns: number[] = [];
  const starts: number[] = [];
  const bytes: number[] = [];
  let firstSource = 0;
  let end = 0;
  for (let left = count(); left > 0; left--) {
    const [line, column, slices, sources] = [reader.uint(), reader.uint(), count(), count()];
    const sourceRoot = { start: reader.uint(), bytes: reader.uint() };
    sections.push({ line, column, sourceRoot, firstSlice: lines.length, firstSource });
    firstSource += sources;
    for (let index = 0; index < slices; index++) {
      lines.push(reader.uint());
      columns.push(reader.uint());
      starts.push((end += reader.uint()));
      bytes.push(reader.uint());
      end += bytes.at(-1) ?? 0;
    }
  }
  const slices = {
    count: lines.length,
    lines: Uint32Array.from(lines),
    columns: Uint32Array.from(columns),
    starts: Float64Array.from(starts),
    bytes: Uint32Array.from(bytes),
  };
  return { sections, slices, sourceCount: firstSource };
}

function readSources(reader: BytesReader, count: number): Directory['sources'] {
  const nameStarts = new Float64Array(count);
  const nameBytes = new Int32Array(count).fill(-1);
  const contentStarts = new Float64Array(count);
  const contentBytes = new Int32Array(count).fill(-1);
  const hashes = Buffer.alloc(count * hashBytes);
  const ignored = new Uint8Array(count);
  const ends = { name: 0, content: 0 };
  for (let index = 0; index < count; index++) {
    const flags = reader.uint();
    if (flags & 1) {
      nameStarts[index] = ends.name += reader.uint();
      ends.name += nameBytes[index] = reader.uint();
    }
    if (flags & 2) {
      contentStarts[index] = ends.content += reader.uint();
      ends.content += contentBytes[index] = reader.uint();
      hashes.set(reader.raw(hashBytes), index * hashBytes);
    }
    if (flags & 4) ignored[index] = 1;
  }
  return { count, nameStarts, nameBytes, contentStarts, contentBytes, hashes, ignored };
}
