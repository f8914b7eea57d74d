import { maxStoredReports } from '../../retention/retention-policy.ts';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import type { BodySpan } from '../records/entry.ts';

/** The location of a stored report in the log. */
export interface LogPointer extends BodySpan {
  id: number;
  /** Milliseconds: when it was received. */
  at: number;
  position: number;
}

/** The stored reports of a group: its first ones, and the newest of the later ones. */
export class StoredReports {
  /** Oldest first. */
  readonly #pointers: LogPointer[] = [];
  /** Bytes of their bodies. */
  bytes = 0;

  get lastAt(): number {
    return this.latest()?.at ?? 0;
  }

  /** The time of the oldest report, or Infinity. */
  get oldestAt(): number {
    let oldest = Infinity;
    for (const { at } of this.#pointers) if (at < oldest) oldest = at;
    return oldest;
  }

  get size(): number {
    return this.#pointers.length;
  }

  /** Of the newest report. Of too many, the oldest that is none of the first gives way. */
  add(place: LogPointer, retentionReports: number): void {
    this.#pointers.push(place);
    this.bytes += place.length;
    this.#limit(retentionReports);
  }

  /** Of a report that has moved, or that this list does not have although it should: where its id belongs. */
  put(place: LogPointer, retentionReports: number): void {
    // Most often it is the newest so far.
    let index = this.#pointers.length;
    while (index > 0 && (this.#pointers[index - 1]?.id ?? 0) >= place.id) index--;
    const known = this.#pointers[index];
    const isKnown = known?.id === place.id;
    this.#pointers.splice(index, isKnown ? 1 : 0, place);
    this.bytes += place.length - (isKnown ? known.length : 0);
    this.#limit(retentionReports);
  }

  /** Drops those that were received before a moment. */
  dropBefore(at: number): void {
    for (let index = this.#pointers.length - 1; index >= 0; index--) {
      if ((this.#pointers[index]?.at ?? 0) < at) this.#drop(index);
    }
  }

  remove(id: number): void {
    const index = this.#pointers.findIndex((place) => place.id === id);
    if (index >= 0) this.#drop(index);
  }

  latest(): LogPointer | undefined {
    return this.#pointers.at(-1);
  }

  find(id: number): LogPointer | undefined {
    return this.#pointers.find((place) => place.id === id);
  }

  /** All of them, oldest first. */
  pointers(): readonly LogPointer[] {
    return this.#pointers;
  }

  static pack(places: readonly LogPointer[], to: BytesWriter): void {
    to.uint(places.length);
    // Each as it differs from the one before: most of the numbers are small.
    let id = 0;
    let at = 0;
    let position = 0;
    for (const place of places) {
      to.int(place.id - id);
      to.int(place.at - at);
      to.int(place.position - position);
      to.uint(place.offset);
      to.uint(place.length);
      ({ id, at, position } = place);
    }
  }

  /** Writes what would be packed of one place, or none. */
  static packOne(place: LogPointer | null, to: BytesWriter): void {
    to.uint(place ? 1 : 0);
    if (!place) return;
    to.int(place.id);
    to.int(place.at);
    to.int(place.position);
    to.uint(place.offset);
    to.uint(place.length);
  }

  unpack(from: BytesReader): void {
    const size = from.uint();
    let id = 0;
    let at = 0;
    let position = 0;
    for (let index = 0; index < size; index++) {
      id += from.int();
      at += from.int();
      position += from.int();
      const place = { id, at, position, offset: from.uint(), length: from.uint() };
      this.#pointers.push(place);
      this.bytes += place.length;
    }
  }

  #limit(retentionReports: number): void {
    while (this.#pointers.length > maxStoredReports(retentionReports)) this.#drop(retentionReports);
  }

  #drop(index: number): void {
    this.bytes -= this.#pointers[index]?.length ?? 0;
    this.#pointers.splice(index, 1);
  }
}
