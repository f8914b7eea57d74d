import type { Accepted } from '@service/protocol';
import { HashIndex } from '../structures/hash-index.ts';
import { hexOf, readHexWords, twoTo32 } from '../codec/hex-words.ts';
import type { HexWords } from '../records/entry.ts';
import { keyedHash } from '../structures/keyed-hash.ts';

/** The response to a report, stored for repeated requests with the same `event_id`. */
export interface StoredResponse {
  at: number;
  response: Accepted;
}

/** The words of a record: event id (4), fingerprint (4), project, group (low word), time (low word), the high bits. */
const recordWords = 12;
const fingerprintWord = 4;
const projectWord = 8;
const groupWord = 9;
const timeWord = 10;
/** 16 bits of the time, 15 bits of the group id and one bit for `is_new_group`. */
const restWord = 11;
const recordsPerChunk = 4096;
const responsesPerPart = 1000;

/**
 * The newest responses of the whole server by project and event id, in 48 bytes each plus an index entry. The records
 * form a ring, oldest first. Chunks of the ring are allocated and freed on demand.
 */
export class ResponseIndex {
  readonly #maxSize: number;
  /** The ring has at least twice the maximum size, because replaced and removed records leave holes. */
  readonly #capacity: number;
  readonly #chunks: (Int32Array | undefined)[] = [];
  readonly #liveOfChunk: number[] = [];
  readonly #index = new HashIndex((position) => this.#hashAt(position));
  /** Records have sequence numbers: these are that of the oldest and that of the next new record. */
  #firstSequence = 0;
  #nextSequence = 0;
  #size = 0;
  readonly #eventId = new Int32Array(4);
  readonly #fingerprint = new Int32Array(4);

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
    this.#capacity = Math.max(recordsPerChunk * 2, 2 ** Math.ceil(Math.log2(maxSize * 2)));
  }

  get size(): number {
    return this.#size;
  }

  /** Reserves room for this many records. */
  reserve(size: number): void {
    this.#index.reserve(size);
  }

  find(projectId: number, eventId: string): StoredResponse | undefined {
    if (!readHexWords(eventId, this.#eventId)) return undefined;
    const position = this.#find(projectId, this.#hash(projectId));
    return position < 0 ? undefined : this.#responseAt(position);
  }

  /** Adds the newest response. Removes the oldest ones above the maximum. */
  add(projectId: number, eventId: string, at: number, response: Omit<Accepted, 'success'>): void {
    if (!readHexWords(eventId, this.#eventId) || !readHexWords(response.fingerprint, this.#fingerprint)) return;
    this.#add(projectId, at, response.error_group_id, response.is_new_group);
  }

  /** Adds the response to a report that opened its group, whose event id and fingerprint are already words. */
  addOpening(projectId: number, event: HexWords, at: number, groupId: number, fingerprint: HexWords): void {
    for (let word = 0; word < 4; word++) {
      this.#eventId[word] = event[word] ?? 0;
      this.#fingerprint[word] = fingerprint[word] ?? 0;
    }
    this.#add(projectId, at, groupId, true);
  }

  #add(projectId: number, at: number, groupId: number, isNew: boolean): void {
    const hash = this.#hash(projectId);
    const known = this.#find(projectId, hash);
    if (known >= 0) this.#forget(known, hash);
    while (this.#nextSequence - this.#firstSequence >= this.#capacity) this.#forgetOldest();
    this.#write(this.#nextSequence++, hash, projectId, at, groupId, isNew);
    while (this.#size > this.#maxSize) this.#forgetOldest();
  }

  forgetProject(projectId: number): void {
    for (let sequence = this.#firstSequence; sequence < this.#nextSequence; sequence++) {
      const position = this.#positionOf(sequence);
      const chunk = this.#chunkAt(position);
      if (chunk?.[this.#offsetOf(position) + projectWord] === projectId) this.#forget(position, this.#hashAt(position));
    }
  }

  /** Yields all records in packed form, newest first and in parts. Skips records that are added in the meantime. */
  *pack(): Generator<Uint8Array> {
    let records = Buffer.alloc(responsesPerPart * recordWords * 4);
    let size = 0;
    for (let sequence = this.#nextSequence - 1; sequence >= this.#firstSequence; sequence--) {
      const position = this.#positionOf(sequence);
      const chunk = this.#chunkAt(position);
      const offset = this.#offsetOf(position);
      if (!chunk || chunk[offset + projectWord] === 0) continue;
      for (let word = 0; word < recordWords; word++) size = records.writeInt32LE(chunk[offset + word] ?? 0, size);
      if (size < records.length) continue;
      yield records;
      records = Buffer.alloc(records.length);
      size = 0;
    }
    if (size > 0) yield records.subarray(0, size);
  }

  /**
   * Adds a part that `pack` returned. Its records are older than all existing ones. Existing records stay unchanged,
   * except that a fingerprint of zeros, which was unknown when the record was added, is filled in.
   */
  unpack(packed: Uint8Array): void {
    // An Int32Array must begin at a multiple of four.
    const bytes = packed.byteOffset % 4 === 0 ? packed : Uint8Array.from(packed);
    const records = new Int32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
    for (let start = 0; start + recordWords <= records.length; start += recordWords) {
      for (let index = 0; index < 4; index++) {
        this.#eventId[index] = records[start + index] ?? 0;
        this.#fingerprint[index] = records[start + fingerprintWord + index] ?? 0;
      }
      const projectId = records[start + projectWord] ?? 0;
      const hash = this.#hash(projectId);
      const known = this.#find(projectId, hash);
      if (known >= 0) {
        this.#completeFingerprint(known);
      } else if (this.#size < this.#maxSize && this.#nextSequence - this.#firstSequence < this.#capacity) {
        const { at, groupId, isNew } = readRest(
          records[start + groupWord] ?? 0,
          records[start + timeWord] ?? 0,
          records[start + restWord] ?? 0,
        );
        this.#write(--this.#firstSequence, hash, projectId, at, groupId, isNew);
      }
    }
  }

  #hash(projectId: number): number {
    const event = this.#eventId;
    return keyedHash(event[0] ?? 0, event[1] ?? 0, event[2] ?? 0, event[3] ?? 0, projectId);
  }

  #hashAt(position: number): number {
    const chunk = this.#chunkAt(position);
    const offset = this.#offsetOf(position);
    if (!chunk) return 0;
    return keyedHash(
      chunk[offset] ?? 0,
      chunk[offset + 1] ?? 0,
      chunk[offset + 2] ?? 0,
      chunk[offset + 3] ?? 0,
      chunk[offset + projectWord] ?? 0,
    );
  }

  /** Returns the position of the record of `#eventId`, or -1. */
  #find(projectId: number, hash: number): number {
    const event = this.#eventId;
    for (let probe = this.#index.probe(hash); ; probe = this.#index.next(probe)) {
      const position = this.#index.at(probe);
      if (position < 0) return -1;
      const chunk = this.#chunkAt(position);
      const offset = this.#offsetOf(position);
      if (
        chunk?.[offset] === event[0] &&
        chunk?.[offset + 1] === event[1] &&
        chunk?.[offset + 2] === event[2] &&
        chunk?.[offset + 3] === event[3] &&
        chunk?.[offset + projectWord] === projectId
      ) {
        return position;
      }
    }
  }

  #responseAt(position: number): StoredResponse {
    const chunk = this.#chunkAt(position) ?? new Int32Array(recordsPerChunk * recordWords);
    const offset = this.#offsetOf(position);
    const word = (index: number): number => chunk[offset + index] ?? 0;
    const { at, groupId, isNew } = readRest(word(groupWord), word(timeWord), word(restWord));
    const fingerprint = hexOf(word(4), word(5), word(6), word(7));
    return { at, response: { success: true, error_group_id: groupId, fingerprint, is_new_group: isNew } };
  }

  /** Writes a record of `#eventId` and `#fingerprint`. */
  #write(sequence: number, hash: number, projectId: number, at: number, groupId: number, isNew: boolean): void {
    const position = this.#positionOf(sequence);
    const number = Math.floor(position / recordsPerChunk);
    const chunk = (this.#chunks[number] ??= new Int32Array(recordsPerChunk * recordWords));
    const offset = this.#offsetOf(position);
    for (let word = 0; word < 4; word++) {
      chunk[offset + word] = this.#eventId[word] ?? 0;
      chunk[offset + fingerprintWord + word] = this.#fingerprint[word] ?? 0;
    }
    chunk[offset + projectWord] = projectId;
    chunk[offset + groupWord] = groupId;
    chunk[offset + timeWord] = at;
    chunk[offset + restWord] =
      (Math.floor(at / twoTo32) & 0xffff) | ((Math.floor(groupId / twoTo32) & 0x7fff) << 16) | (isNew ? 1 << 31 : 0);
    this.#liveOfChunk[number] = (this.#liveOfChunk[number] ?? 0) + 1;
    this.#index.add(hash, position);
    this.#size++;
  }

  #completeFingerprint(position: number): void {
    const chunk = this.#chunkAt(position);
    const offset = this.#offsetOf(position) + fingerprintWord;
    if (chunk?.subarray(offset, offset + 4).every((word) => word === 0)) chunk.set(this.#fingerprint, offset);
  }

  #forgetOldest(): void {
    const position = this.#positionOf(this.#firstSequence++);
    const chunk = this.#chunkAt(position);
    if (chunk && chunk[this.#offsetOf(position) + projectWord] !== 0) this.#forget(position, this.#hashAt(position));
  }

  #forget(position: number, hash: number): void {
    this.#index.remove(hash, position);
    this.#size--;
    const number = Math.floor(position / recordsPerChunk);
    const left = (this.#liveOfChunk[number] ?? 0) - 1;
    this.#liveOfChunk[number] = left;
    // A record with project 0 is a hole: no project has the id 0.
    if (left > 0) this.#chunks[number]?.fill(0, this.#offsetOf(position), this.#offsetOf(position) + recordWords);
    else this.#chunks[number] = undefined;
  }

  #positionOf(sequence: number): number {
    return sequence & (this.#capacity - 1);
  }

  #chunkAt(position: number): Int32Array | undefined {
    return this.#chunks[Math.floor(position / recordsPerChunk)];
  }

  #offsetOf(position: number): number {
    return (position % recordsPerChunk) * recordWords;
  }
}

function readRest(group: number, time: number, rest: number): { at: number; groupId: number; isNew: boolean } {
  return {
    at: (rest & 0xffff) * twoTo32 + (time >>> 0),
    groupId: ((rest >>> 16) & 0x7fff) * twoTo32 + (group >>> 0),
    isNew: rest < 0,
  };
}
