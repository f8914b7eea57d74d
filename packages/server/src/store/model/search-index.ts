import type { GroupTable } from './group-table.ts';
import { Bitset } from '../structures/bitset.ts';

const segmentBytes = 512 * 1024;
const segmentTexts = 4096;
/** How long an update runs before it yields to other work. */
const sliceMs = 4;

/** A sequence of texts, each with a line feed at its end. */
interface TextSegment {
  bytes: Buffer;
  size: number;
  /** Where each text begins, and where the last one ends. */
  starts: Uint32Array;
  /** Whose it is; -1 if that group has a newer one, or is gone. */
  slots: Int32Array;
  texts: number;
  liveTexts: number;
}

/**
 * The lower-cased text of all groups, in few large segments that can be searched at the speed of memory. Built by the
 * first search, and updated by each of the next ones.
 */
export class SearchIndex {
  readonly #table: GroupTable;
  readonly #segments: (TextSegment | undefined)[] = [];
  readonly #freeNumbers: number[] = [];
  #last = -1;
  /** Location of the text of each slot: segment and index, counted from 1. */
  #places = new Int32Array(0);
  /** The next slot of the first round over all of them, and the changes that are in the text. */
  #next = 0;
  #upTo: number;

  constructor(table: GroupTable) {
    this.#table = table;
    this.#upTo = table.changes.count;
  }

  /** Updates the index for a few milliseconds. Returns true once it is up to date, which it is until the table changes. */
  updateSlice(): boolean {
    const { changes, columns } = this.#table;
    const end = performance.now() + sliceMs;
    if (!changes.reachesBackTo(this.#upTo)) {
      this.#next = 0;
      this.#upTo = changes.count;
    }
    for (let done = 1; this.#next < columns.length; done++) {
      this.#update(this.#next++);
      if (done % 64 === 0 && performance.now() > end) return false;
    }
    for (let done = 1; this.#upTo < changes.count; done++) {
      this.#update(changes.at(this.#upTo++));
      if (done % 64 === 0 && performance.now() > end) return false;
    }
    return true;
  }

  /** The groups whose texts have every word. Words are lower-cased and without blanks, and there is at least one. */
  find(words: readonly Buffer[]): Bitset {
    const found = new Bitset(this.#table.columns.length);
    // The longest is likely to be the rarest.
    const [rarest = Buffer.alloc(0), ...others] = words.toSorted((a, b) => b.length - a.length);
    let isCommon = false;
    for (const segment of this.#segments) {
      if (!segment) continue;
      const hits: number = isCommon
        ? findCommon(segment, [rarest, ...others], found)
        : findRare(segment, rarest, others, found);
      isCommon = hits > segment.texts / 4;
    }
    return found;
  }

  /** Whether the text of a group has every word. */
  has(slot: number, words: readonly Buffer[]): boolean {
    const place = (this.#places[slot] ?? 0) - 1;
    const segment = this.#segments[Math.floor(place / segmentTexts)];
    return segment !== undefined && hasAll(segment, place % segmentTexts, words);
  }

  #update(slot: number): void {
    if (slot >= this.#places.length) {
      const places = new Int32Array(this.#table.columns.ids.length);
      places.set(this.#places);
      this.#places = places;
    }
    const text = this.#table.columns.ids[slot] === 0 ? null : Buffer.from(`${this.#table.searchText(slot)}\n`);
    const place = (this.#places[slot] ?? 0) - 1;
    const segment = this.#segments[Math.floor(place / segmentTexts)];
    if (segment) {
      const index = place % segmentTexts;
      const isSame = text && segment.bytes.subarray(segment.starts[index], segment.starts[index + 1]).equals(text);
      if (isSame) return;
      this.#places[slot] = 0;
      segment.slots[index] = -1;
      segment.liveTexts--;
    }
    if (text) this.#append(slot, text);
    if (segment) this.#tidy(Math.floor(place / segmentTexts), segment);
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
    this.#places[slot] = this.#last * segmentTexts + index + 1;
  }

  /** What is left of a segment that is half dead moves to the end. */
  #tidy(number: number, segment: TextSegment): void {
    if (number === this.#last || segment.liveTexts > segment.texts / 2) return;
    for (let index = 0; index < segment.texts; index++) {
      const slot = segment.slots[index] ?? -1;
      if (slot >= 0) this.#append(slot, segment.bytes.subarray(segment.starts[index], segment.starts[index + 1]));
    }
    this.#segments[number] = undefined;
    this.#freeNumbers.push(number);
  }
}

/** Jumps from one occurrence of a word to the next. Says how many texts have it. */
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

/** Looks into every text: of a word that most of them have, a call for each occurrence would cost more. */
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
