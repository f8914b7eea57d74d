import type { GroupTable } from './group-table.ts';
import { Bitset } from '../structures/bitset.ts';
import { SlicedUpdate } from './sliced-update.ts';

const segmentBytes = 512 * 1024;
const segmentTexts = 4096;

/** A sequence of texts, each with a line feed at its end. */
interface TextSegment {
  bytes: Buffer;
  size: number;
  /** The start of each text, and the end of the last one. */
  starts: Uint32Array;
  /** The slot of the group of each text. -1 if the group was removed or has a newer text. */
  slots: Int32Array;
  texts: number;
  liveTexts: number;
}

/**
 * The texts of all groups in lower case, in a few large segments that are searched at the speed of memory. The first
 * search builds the index, and each later search updates it.
 */
export class SearchIndex {
  readonly #table: GroupTable;
  readonly #segments: (TextSegment | undefined)[] = [];
  readonly #freeNumbers: number[] = [];
  #last = -1;
  /** The location of the text of each slot: number of the segment * `segmentTexts` + index + 1, or 0 without a text. */
  #locations = new Int32Array(0);
  readonly #updates: SlicedUpdate;
  /** Grows whenever texts are moved to another segment. */
  #moves = 0;

  constructor(table: GroupTable) {
    this.#table = table;
    this.#updates = new SlicedUpdate(table, (slot) => this.#update(slot));
  }

  /** See `SlicedUpdate.runSlice`. */
  updateSlice(end: number): boolean {
    return this.#updates.runSlice(end);
  }

  /**
   * Adds the groups whose text contains every word to `found`, one segment at each step. At least one word is required.
   * Words are in lower case. Groups that change between two steps may be missing.
   */
  *find(words: readonly Buffer[], found: Bitset): Generator<void> {
    let moves: number;
    do {
      moves = this.#moves;
      yield* this.#findInAll(words, found);
      // Texts that were moved may have been skipped.
    } while (moves !== this.#moves);
  }

  *#findInAll(words: readonly Buffer[], found: Bitset): Generator<void> {
    // The longest word is likely to be the rarest.
    const [rarest = Buffer.alloc(0), ...others] = words.toSorted((a, b) => b.length - a.length);
    let isCommon = false;
    for (const segment of this.#segments) {
      if (!segment) continue;
      const hits: number = isCommon
        ? findCommon(segment, [rarest, ...others], found)
        : findRare(segment, rarest, others, found);
      isCommon = hits > segment.texts / 4;
      yield;
    }
  }

  /** Returns whether the text of a group contains every word. */
  has(slot: number, words: readonly Buffer[]): boolean {
    const location = (this.#locations[slot] ?? 0) - 1;
    const segment = this.#segments[Math.floor(location / segmentTexts)];
    return segment !== undefined && hasAll(segment, location % segmentTexts, words);
  }

  #update(slot: number): void {
    if (slot >= this.#locations.length) {
      const locations = new Int32Array(this.#table.columns.ids.length);
      locations.set(this.#locations);
      this.#locations = locations;
    }
    const text = this.#table.columns.ids[slot] === 0 ? null : Buffer.from(`${this.#table.searchText(slot)}\n`);
    const location = (this.#locations[slot] ?? 0) - 1;
    const segment = this.#segments[Math.floor(location / segmentTexts)];
    if (segment) {
      const index = location % segmentTexts;
      const isSame = text && segment.bytes.subarray(segment.starts[index], segment.starts[index + 1]).equals(text);
      if (isSame) return;
      this.#locations[slot] = 0;
      segment.slots[index] = -1;
      segment.liveTexts--;
    }
    if (text) this.#append(slot, text);
    if (segment) this.#freeSparse(Math.floor(location / segmentTexts), segment);
  }

  #append(slot: number, text: Uint8Array): void {
    let segment = this.#segments[this.#last];
    if (!segment || segment.texts === segmentTexts || segment.size + text.length > segment.bytes.length) {
      this.#last = this.#freeNumbers.pop() ?? this.#segments.length;
      segment = {
        bytes: Buffer.alloc(Math.max(segmentBytes, text.length)),
        size: 0,
        starts: new Uint32Array(segmentTexts + 1),
        slots: new Int32Array(segmentTexts),
        texts: 0,
        liveTexts: 0,
      };
      this.#segments[this.#last] = segment;
    }
    const index = segment.texts++;
    segment.liveTexts++;
    segment.bytes.set(text, segment.size);
    segment.size += text.length;
    segment.starts[index + 1] = segment.size;
    segment.slots[index] = slot;
    this.#locations[slot] = this.#last * segmentTexts + index + 1;
  }

  /** Frees a segment if at most half of its texts are in use. Appends these texts again. */
  #freeSparse(number: number, segment: TextSegment): void {
    if (number === this.#last || segment.liveTexts > segment.texts / 2) return;
    for (let index = 0; index < segment.texts; index++) {
      const slot = segment.slots[index] ?? -1;
      if (slot >= 0) this.#append(slot, segment.bytes.subarray(segment.starts[index], segment.starts[index + 1]));
    }
    this.#moves++;
    this.#segments[number] = undefined;
    this.#freeNumbers.push(number);
  }
}

/**
 * Finds texts by jumping from one occurrence of `word` to the next. Returns the number of texts that contain `word`.
 */
function findRare(segment: TextSegment, word: Buffer, others: readonly Buffer[], found: Bitset): number {
  const { bytes, size, starts, slots } = segment;
  let hits = 0;
  let index = 0;
  for (let at = bytes.indexOf(word); at >= 0 && at < size; at = bytes.indexOf(word, starts[index] ?? size)) {
    while ((starts[index + 1] ?? size) <= at) index++;
    const slot = slots[index] ?? -1;
    if (slot >= 0 && hasAll(segment, index, others)) found.set(slot, true);
    hits++;
    index++;
  }
  return hits;
}

/** Finds texts by reading each one. For a frequent word, this is faster than a call of `indexOf` per occurrence. */
function findCommon(segment: TextSegment, words: readonly Buffer[], found: Bitset): number {
  let hits = 0;
  for (let index = 0; index < segment.texts; index++) {
    const slot = segment.slots[index] ?? -1;
    if (slot < 0 || !hasAll(segment, index, words)) continue;
    found.set(slot, true);
    hits++;
  }
  return hits;
}

function hasAll({ bytes, starts }: TextSegment, index: number, words: readonly Buffer[]): boolean {
  const start = starts[index] ?? 0;
  const end = starts[index + 1] ?? 0;
  for (const word of words) if (!hasWord(bytes, start, end, word)) return false;
  return true;
}

function hasWord(bytes: Buffer, start: number, end: number, word: Buffer): boolean {
  const first = word[0];
  const { length } = word;
  for (let at = start, last = end - length; at <= last; at++) {
    if (bytes[at] !== first) continue;
    let same = 1;
    while (same < length && bytes[at + same] === word[same]) same++;
    if (same === length) return true;
  }
  return false;
}
