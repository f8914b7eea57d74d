import { maxStoredReports } from '../../retention/retention-policy.ts';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import { shiftTime, type TimeShift } from '../records/time-shift.ts';
import type { LogPointer } from './log-pointer.ts';

/** Where the log has the stored reports of a group: its first ones and its newest ones, without those that expired. */
export class ReportPointers {
  /** Oldest first. */
  readonly #pointers: LogPointer[] = [];
  /** Total size of their bodies. */
  bytes = 0;

  get lastAt(): number {
    return this.latest()?.at ?? 0;
  }

  /** Infinity if no report is stored. */
  get oldestAt(): number {
    let oldest = Infinity;
    for (const { at } of this.#pointers) if (at < oldest) oldest = at;
    return oldest;
  }

  get size(): number {
    return this.#pointers.length;
  }

  /** Adds the newest report. Above the maximum, drops the oldest report after the first ones. */
  add(pointer: LogPointer, retentionReports: number): void {
    this.#pointers.push(pointer);
    this.bytes += pointer.length;
    this.#limit(retentionReports);
  }

  /** Adds the reports of a merged group, so that all are in the order in which they were received. */
  addAll(other: ReportPointers): void {
    this.#pointers.push(...other.#pointers);
    this.#pointers.sort((one, next) => one.id - next.id);
    this.bytes += other.bytes;
  }

  /** Replaces the pointer to a report that compaction has moved, or inserts it in the order of ids. */
  put(pointer: LogPointer, retentionReports: number): void {
    // The report is usually the newest so far.
    let index = this.#pointers.length;
    while (index > 0 && (this.#pointers[index - 1]?.id ?? 0) >= pointer.id) index--;
    const known = this.#pointers[index];
    const isKnown = known?.id === pointer.id;
    this.#pointers.splice(index, isKnown ? 1 : 0, pointer);
    this.bytes += pointer.length - (isKnown ? known.length : 0);
    this.#limit(retentionReports);
  }

  /** Drops the reports that were received before a moment. */
  dropBefore(at: number): void {
    for (let index = this.#pointers.length - 1; index >= 0; index--) {
      if ((this.#pointers[index]?.at ?? 0) < at) this.#drop(index);
    }
  }

  shiftTimes(shift: TimeShift): void {
    for (const [index, pointer] of this.#pointers.entries())
      this.#pointers[index] = { ...pointer, at: shiftTime(pointer.at, shift) };
  }

  remove(id: number): void {
    const index = this.#pointers.findIndex((pointer) => pointer.id === id);
    if (index >= 0) this.#drop(index);
  }

  latest(): LogPointer | undefined {
    return this.#pointers.at(-1);
  }

  find(id: number): LogPointer | undefined {
    return this.#pointers.find((pointer) => pointer.id === id);
  }

  /** Returns all pointers, oldest first. */
  all(): readonly LogPointer[] {
    return this.#pointers;
  }

  static pack(pointers: readonly LogPointer[], to: BytesWriter): void {
    to.uint(pointers.length);
    // Encode each as the difference from the previous one, because most differences are small.
    let id = 0;
    let at = 0;
    let position = 0;
    for (const pointer of pointers) {
      to.int(pointer.id - id);
      to.int(pointer.at - at);
      to.int(pointer.position - position);
      to.uint(pointer.offset);
      to.uint(pointer.length);
      ({ id, at, position } = pointer);
    }
  }

  /** Writes the packed form of a list of one pointer, or of an empty list. */
  static packOne(pointer: LogPointer | null, to: BytesWriter): void {
    to.uint(pointer ? 1 : 0);
    if (!pointer) return;
    to.int(pointer.id);
    to.int(pointer.at);
    to.int(pointer.position);
    to.uint(pointer.offset);
    to.uint(pointer.length);
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
      const pointer = { id, at, position, offset: from.uint(), length: from.uint() };
      this.#pointers.push(pointer);
      this.bytes += pointer.length;
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
