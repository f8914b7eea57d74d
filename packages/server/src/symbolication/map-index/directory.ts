import { deflateSync, inflateSync } from 'node:zlib';
import { BytesReader } from '../../store/codec/bytes-reader.ts';
import { BytesWriter } from '../../store/codec/bytes-writer.ts';
import { DamagedIndexError } from './damaged-index-error.ts';
import type { Block } from './block-writer.ts';
import type { PositionSlice } from './positions-writer.ts';
import { textHashBytes, type ContentSpan } from './contents-writer.ts';
import type { TextSpan } from './names-writer.ts';

/*
 * An index consists of blocks, in the order in which they were filled, and a directory of their contents. The last
 * bytes contain the size of the directory and the mark of this format version.
 */

const directoryMark = Buffer.from('smindex1');
export const directoryTrailerBytes = 4 + directoryMark.length;
/** No accepted map has a larger directory. */
const maxDirectoryBytes = 32 * 1024 * 1024;

/** The written parts of one map: the whole map, or that of a section. */
export interface IndexedMap {
  /** The position in the minified file where the map begins. */
  line: number;
  column: number;
  /** The position of its source root among the names, or null. */
  sourceRoot: TextSpan | null;
  slices: readonly PositionSlice[];
  /** The name and the content of each source, or null. */
  names: readonly (TextSpan | null)[];
  contents: readonly (ContentSpan | null)[];
  /** Sources that are not the app's own. */
  ignored: ReadonlySet<number>;
}

export interface WrittenIndex {
  maps: readonly IndexedMap[];
  /** The last line of the minified file with a position, counted from 1, or 0. */
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
  return Buffer.concat([packed, length, directoryMark]);
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

function writeText(writer: BytesWriter, text: TextSpan, before: number): number {
  writer.uint(text.start - before);
  writer.uint(text.bytes);
  return text.start + text.bytes;
}

/** Blocks of one kind. */
export interface BlockTable {
  count: number;
  /** The position of each block in the bytes of its kind, and the end of the last one. */
  starts: Float64Array;
  offsets: Float64Array;
  packedBytes: Uint32Array;
}

/** A map in the directory, with the numbers of its first slice and source. */
export interface IndexedSection {
  line: number;
  column: number;
  /** The position of the source root among the names; 0 bytes if the map has none. */
  sourceRoot: TextSpan;
  firstSlice: number;
  firstSource: number;
}

/** The decoded directory. Numbers are in typed arrays because a map may have a hundred thousand sources. */
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
    /** -1 if the source has none. */
    nameBytes: Int32Array;
    contentStarts: Float64Array;
    /** -1 if the map does not contain it. */
    contentBytes: Int32Array;
    hashes: Buffer;
    ignored: Uint8Array;
  };
  /** The approximate size in memory, in bytes. */
  sizeBytes: number;
}

/**
 * Reads the size of the directory from the last bytes of an index. Throws a DamagedIndexError if the mark is missing.
 */
export function directoryBytes(trailer: Uint8Array): number {
  const bytes = Buffer.from(trailer.buffer, trailer.byteOffset, trailer.byteLength);
  if (bytes.length !== directoryTrailerBytes || !bytes.subarray(4).equals(directoryMark))
    throw new DamagedIndexError('its end is missing');
  return bytes.readUInt32LE(0);
}

/** Unpacks and decodes a directory. Throws a DamagedIndexError if it is invalid. */
export function decodeDirectory(packed: Uint8Array): Directory {
  let bytes: Buffer;
  try {
    bytes = inflateSync(packed, { maxOutputLength: maxDirectoryBytes });
  } catch (cause) {
    throw new DamagedIndexError('its directory cannot be unpacked', { cause });
  }
  const reader = new BytesReader(true);
  reader.open(bytes, 0, bytes.length);
  const count = (): number => {
    const value = reader.uint();
    // Each counted element takes at least one byte.
    if (value > bytes.length) throw new DamagedIndexError('its directory is invalid');
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
  if (reader.at !== bytes.length) throw new DamagedIndexError('its directory is invalid');
  const parts = { positions, names, contents, linesBefore, slices, sources };
  const sizeBytes = 2_000 + sections.length * 200 + arrayBytes(Object.values(parts));
  return { lines, ...parts, sections, sizeBytes };
}

/** Returns the size of all typed arrays in the parts. */
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
  const hashes = Buffer.alloc(count * textHashBytes);
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
      hashes.set(reader.raw(textHashBytes), index * textHashBytes);
    }
    if (flags & 4) ignored[index] = 1;
  }
  return { count, nameStarts, nameBytes, contentStarts, contentBytes, hashes, ignored };
}
