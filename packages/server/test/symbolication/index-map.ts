import { MapIndex } from '../../src/symbolication/map-index/map-index.ts';
import { SourceMapIndexer, type IndexedFacts } from '../../src/symbolication/indexing/source-map-indexer.ts';

/** Returns the index of a map that arrives in pieces of these sizes. */
export function indexMap(map: string | object, pieceBytes = 1 << 16): { bytes: Buffer; facts: IndexedFacts } {
  const text = Buffer.from(typeof map === 'string' ? map : JSON.stringify(map));
  const indexer = new SourceMapIndexer();
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < text.length; at += pieceBytes) pieces.push(...indexer.push(text.subarray(at, at + pieceBytes)));
  const { pieces: last, facts } = indexer.finish();
  return { bytes: Buffer.concat([...pieces, ...last]), facts };
}

/** Opens an index in memory. `onRead` is called for each read. */
export function openIndex(bytes: Buffer, onRead: (bytes: number) => void = () => undefined): Promise<MapIndex> {
  const blocks = new Map<number, Promise<Buffer>>();
  const read = async (start: number, end: number): Promise<Buffer> => {
    onRead(end - start);
    return bytes.subarray(start, end);
  };
  return MapIndex.open(bytes.length, read, {
    get(place, unpack) {
      const known = blocks.get(place) ?? unpack();
      blocks.set(place, known);
      return known;
    },
  });
}
