import { SlabAllocator } from '../structures/slab-allocator.ts';
import { BytesReader } from '../codec/bytes-reader.ts';
import { BytesWriter } from '../codec/bytes-writer.ts';
import type { GroupColumns } from './group-columns.ts';
import { GroupState } from './group-state.ts';
import { repackResolvedAt } from './packed-fields.ts';
import { StoredReports, type LogPointer } from './stored-reports.ts';

/** A packed group ends with the length of its state in three bytes, and the time of its oldest stored report in six. */
const trailerBytes = 9;
const never = 2 ** 48 - 1;
/** Size of the pointers to about ten stored reports. */
const maxMovableBytes = 160;
/** Room for one. */
const onePointerBytes = 20;

/**
 * Packed groups outside the heap: the state of each, the pointers to its stored reports, and a trailer. A column holds the
 * location of each group. Reading a part of a group leaves the rest packed.
 */
export class PackedGroups {
  readonly #columns: GroupColumns;
  readonly #cells: SlabAllocator;
  readonly #writer = new BytesWriter();
  readonly #reader = new BytesReader();

  constructor(columns: GroupColumns) {
    this.#columns = columns;
    this.#cells = new SlabAllocator((slot, place) => (columns.places[slot] = place));
  }

  /** Adds a group of which the state is packed already, with the report that opened it, if that is stored. */
  addOpened(slot: number, bytes: Buffer, start: number, end: number, stored: LogPointer | null): void {
    const length = end - start;
    this.#writer.clear();
    StoredReports.packOne(stored, this.#writer);
    writeTrailer(this.#writer, length, stored?.at ?? never);
    const place = this.#cells.put(slot, bytes, start, end, 0, this.#writer.size);
    this.#cells.writeEnd(place, length, this.#writer.bytes, this.#writer.size);
    this.#columns.places[slot] = place;
  }

  /** Adds a group that `writeState` wrote. */
  addState(slot: number, bytes: Buffer, start: number, end: number): void {
    this.#columns.places[slot] = this.#cells.put(slot, bytes, start, end, 0, onePointerBytes);
  }

  writeState(slot: number, to: BytesWriter): void {
    const place = this.#placeOf(slot);
    const page = this.#cells.page(place);
    const start = this.#cells.start(place);
    const length = page.readUIntLE(this.#cells.end(place) - trailerBytes, 3);
    // An empty list of stored reports takes one byte.
    to.uint(length + 1 + trailerBytes);
    to.raw(page, start, start + length);
    StoredReports.packOne(null, to);
    writeTrailer(to, length, never);
  }

  pack(slot: number, group: GroupState): void {
    const writer = this.#writer;
    writer.clear();
    group.pack(writer);
    this.#writeStoredReports(group.storedReports, writer.size);
    this.#columns.places[slot] = this.#cells.put(slot, writer.bytes, 0, writer.size, this.#placeOf(slot));
  }

  unpack(slot: number): GroupState {
    const reader = this.read(slot);
    const group = GroupState.unpack(this.#columns.facts(slot), reader);
    // The pointers to its stored reports follow the state. They hold no text, so the trailer need not be cut off.
    reader.open(reader.bytes, reader.end, reader.bytes.length);
    group.storedReports.unpack(reader);
    return group;
  }

  /**
   * Opens a packed group for reading its plain fields. Does not look for the end of the state: the trailer is in another
   * cache line, and a filter tests every group.
   */
  readPlain(slot: number): BytesReader {
    const place = this.#placeOf(slot);
    this.#reader.open(this.#cells.page(place), this.#cells.start(place), this.#cells.end(place));
    return this.#reader;
  }

  /** Opens the state of a packed group for reading. Valid until the next group is read. */
  read(slot: number): BytesReader {
    const place = this.#placeOf(slot);
    const page = this.#cells.page(place);
    const start = this.#cells.start(place);
    const trailer = this.#cells.end(place) - trailerBytes;
    // Read by hand, for every group that a list or a search reads: `readUIntLE` checks its arguments.
    const length = (page[trailer] ?? 0) + (page[trailer + 1] ?? 0) * 0x100 + (page[trailer + 2] ?? 0) * 0x10000;
    this.#reader.open(page, start, start + length);
    return this.#reader;
  }

  storedReports(slot: number): StoredReports {
    this.#openStoredReports(slot);
    const reports = new StoredReports();
    reports.unpack(this.#reader);
    return reports;
  }

  #openStoredReports(slot: number): void {
    const place = this.#placeOf(slot);
    const page = this.#cells.page(place);
    const end = this.#cells.end(place) - trailerBytes;
    this.#reader.open(page, this.#cells.start(place) + page.readUIntLE(end, 3), end);
  }

  oldestStoredAt(slot: number): number {
    const place = this.#placeOf(slot);
    return this.#cells.page(place).readUIntLE(this.#cells.end(place) - 6, 6);
  }

  /** Null: the group is active. */
  setResolvedAt(slot: number, resolvedAt: number | null): void {
    const place = this.#placeOf(slot);
    const page = this.#cells.page(place);
    const start = this.#cells.start(place);
    const end = this.#cells.end(place);
    const pointersStart = start + page.readUIntLE(end - trailerBytes, 3);
    const writer = this.#writer;
    writer.clear();
    this.#reader.open(page, start, pointersStart);
    repackResolvedAt(this.#reader, resolvedAt, writer);
    const stateLength = writer.size;
    writer.raw(page, pointersStart, end - trailerBytes);
    writeTrailer(writer, stateLength, this.oldestStoredAt(slot));
    this.#columns.places[slot] = this.#cells.put(slot, writer.bytes, 0, writer.size, place);
  }

  /**
   * Records the new position of a stored report: see `StoredReports.put`. A start does this once for most groups, so only
   * what follows the state is written. Returns by how much the size of the bodies has grown, or null, without a change, if
   * that is not possible in place.
   */
  moveStoredReport(slot: number, moved: LogPointer, retentionReports: number): number | null {
    const place = this.#placeOf(slot);
    const end = this.#cells.end(place) - trailerBytes;
    const length = this.#cells.page(place).readUIntLE(end, 3);
    if (end - this.#cells.start(place) - length > maxMovableBytes) return null;
    const reports = this.storedReports(slot);
    const { bytes } = reports;
    reports.put(moved, retentionReports);
    this.#writer.clear();
    this.#writeStoredReports(reports, length);
    return this.#cells.writeEnd(place, length, this.#writer.bytes, this.#writer.size) ? reports.bytes - bytes : null;
  }

  remove(slot: number): void {
    const place = this.#placeOf(slot);
    if (place !== 0) this.#cells.free(place);
  }

  #placeOf(slot: number): number {
    return this.#columns.places[slot] ?? 0;
  }

  /** Writes the pointers to the stored reports and the trailer after a state. */
  #writeStoredReports(reports: StoredReports, stateLength: number): void {
    StoredReports.pack(reports.pointers(), this.#writer);
    writeTrailer(this.#writer, stateLength, Math.min(reports.oldestAt, never));
  }
}

function writeTrailer(to: BytesWriter, stateLength: number, oldestStoredAt: number): void {
  to.fixed(stateLength, 3);
  to.fixed(oldestStoredAt, 6);
}
