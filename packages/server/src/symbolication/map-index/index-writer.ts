import type { TextSink } from './json-scanner.ts';
import type { MapSink } from './map-sink.ts';
import { BlockWriter, PackedPieces } from './block-writer.ts';
import { encodeDirectory, type IndexedMap } from './directory.ts';
import { PositionsWriter, type PositionSlice } from './positions-writer.ts';
import { ContentsWriter, type ContentSpan } from './contents-writer.ts';
import { NamesWriter, type TextSpan } from './names-writer.ts';

/** The written parts of a map: the whole map, or that of a section. */
class OpenMap {
  sourceRoot: TextSpan | null = null;
  slices: readonly PositionSlice[] = [];
  lines = 0;
  readonly names: (TextSpan | null)[] = [];
  readonly contents: (ContentSpan | null)[] = [];
  readonly ignored = new Set<number>();
}

/**
 * Writes the index of a map while the map is read: positions in slices, names and contents in blocks, all packed. So a
 * position, a name and some lines can be read without the rest. Keeps in memory one block of each kind, some positions,
 * and the directory.
 */
export class IndexWriter implements MapSink {
  readonly #pieces = new PackedPieces();
  readonly #positionBlocks = new BlockWriter(this.#pieces);
  readonly #positions = new PositionsWriter(this.#positionBlocks);
  readonly #names = new NamesWriter(this.#pieces);
  readonly #contents = new ContentsWriter(this.#pieces);
  readonly #sections: IndexedMap[] = [];
  #top: OpenMap | null = null;
  /** The map that is being read, or was read last. */
  #map = new OpenMap();
  #lines = 0;

  beginMap(): void {
    this.#map = new OpenMap();
    this.#top ??= this.#map;
  }

  beginSourceRoot(): TextSink {
    this.#names.begin();
    return this.#names;
  }

  endSourceRoot(): void {
    this.#map.sourceRoot = this.#names.end();
  }

  beginSource(): TextSink {
    this.#names.begin();
    return this.#names;
  }

  endSource(): void {
    this.#map.names.push(this.#names.end());
  }

  sourceWithoutName(): void {
    this.#map.names.push(null);
  }

  beginContent(): TextSink {
    this.#contents.begin();
    return this.#contents;
  }

  endContent(): void {
    this.#map.contents.push(this.#contents.end());
  }

  noContent(): void {
    this.#map.contents.push(null);
  }

  ignore(source: number): void {
    this.#map.ignored.add(source);
  }

  position(line: number, column: number, source: number, originalLine: number, originalColumn: number): void {
    this.#positions.position(line, column, source, originalLine, originalColumn);
  }

  endPositions(): void {
    this.#positions.endPositions();
    Object.assign(this.#map, this.#positions.take());
  }

  section(line: number, column: number): void {
    this.#add(this.#map, line, column);
    if (this.#top) this.#map = this.#top;
  }

  /** Returns the pieces written since the last call. */
  take(): Uint8Array[] {
    return this.#pieces.take();
  }

  /** Returns the remaining pieces. */
  finish(isIndexMap: boolean): Uint8Array[] {
    if (!isIndexMap && this.#top) this.#add(this.#top, 0, 0);
    for (const blocks of [this.#positionBlocks, this.#names.blocks, this.#contents.blocks]) blocks.flush();
    this.#pieces.add(
      encodeDirectory({
        maps: this.#sections,
        lines: this.#lines,
        positions: this.#positionBlocks.blocks,
        names: this.#names.blocks.blocks,
        contents: this.#contents.blocks.blocks,
        linesBefore: this.#contents.linesBefore,
      }),
    );
    return this.take();
  }

  #add({ sourceRoot, slices, lines, names, contents, ignored }: OpenMap, line: number, column: number): void {
    this.#sections.push({ line, column, sourceRoot, slices, names, contents, ignored });
    if (lines > 0) this.#lines = Math.max(this.#lines, line + lines);
  }
}
