import { SlabAllocator } from '../structures/slab-allocator.ts';
import { BytesReader } from '../codec/bytes-reader.ts';
import { BytesWriter } from '../codec/bytes-writer.ts';
import type { GroupColumns } from './group-columns.ts';
import { GroupState } from './group-state.ts';
import { repackResolvedAt } from './packed-fields.ts';
import { ReportPointers } from './report-pointers.ts';
import type { LogPointer } from './log-pointer.ts';

/** A packed group ends with the length of its state in three bytes, and the time of its oldest stored report in six. */
const trailerBytes = 9;
const never = 2 ** 48 - 1;
/** Size of the pointers to about ten stored reports. */
const maxMovableBytes = 160;
/** Room for the pointer to one stored report. */
const onePointerBytes = 20;

/**
 * Packed groups outside the heap: the state of each, the pointers to its stored reports, and a trailer. A column holds
 * the location of each group. Reading a part of a group leaves the rest packed.
 */
export class PackedGroups {
  readonly #columns: GroupColumns;
  readonly #cells: SlabAllocator;
  readonly #writer = new BytesWriter();
  readonly #reader = new BytesReader();

  constructor(columns: GroupColumns) {
    this.#columns = columns;
    this.#cells = new SlabAllocator((slot, address) => (columns.addresses[slot] = address));
  }

  /** Adds a group whose state is already packed. `stored` is the report that opened it, or null if it is not stored. */
  addOpened(slot: number, bytes: Buffer, start: number, end: number, stored: LogPointer | null): void {
    const length = end - start;
    this.#writer.clear();
    ReportPointers.packOne(stored, this.#writer);
    writeTrailer(this.#writer, length, stored?.at ?? never);
    const address = this.#cells.put(slot, bytes, start, end, 0, this.#writer.size);
    this.#cells.writeEnd(address, length, this.#writer.bytes, this.#writer.size);
    this.#columns.addresses[slot] = address;
  }

  /** Adds a group that `writeState` wrote. */
  addState(slot: number, bytes: Buffer, start: number, end: number): void {
    this.#columns.addresses[slot] = this.#cells.put(slot, bytes, start, end, 0, onePointerBytes);
  }

  writeState(slot: number, to: BytesWriter): void {
    const address = this.#addressOf(slot);
    const page = this.#cells.page(address);
    const start = this.#cells.start(address);
    const length = page.readUIntLE(this.#cells.end(address) - trailerBytes, 3);
    // An empty list of stored reports takes one byte.
    to.uint(length + 1 + trailerBytes);
    to.raw(page, start, start + length);
    ReportPointers.packOne(null, to);
    writeTrailer(to, length, never);
  }

  pack(slot: number, group: GroupState): void {
    const writer = this.#writer;
    writer.clear();
    group.pack(writer);
    this.#writeReportPointers(group.reportPointers, writer.size);
    this.#columns.addresses[slot] = this.#cells.put(slot, writer.bytes, 0, writer.size, this.#addressOf(slot));
  }

  /** Returns the size of the state of a group. */
  stateBytes(slot: number): number {
    const address = this.#addressOf(slot);
    return this.#cells.page(address).readUIntLE(this.#cells.end(address) - trailerBytes, 3);
  }

  unpack(slot: number): GroupState {
    const reader = this.read(slot);
    const group = GroupState.unpack(this.#columns.facts(slot), reader);
    // The pointers to its stored reports follow the state. They contain no text, so reading them stops before the
    // trailer.
    reader.open(reader.bytes, reader.end, reader.bytes.length);
    group.reportPointers.unpack(reader);
    return group;
  }

  /**
   * Opens a packed group for reading its plain fields. Does not look for the end of the state: the trailer is in
   * another cache line, and a filter tests every group.
   */
  readPlain(slot: number): BytesReader {
    const address = this.#addressOf(slot);
    this.#reader.open(this.#cells.page(address), this.#cells.start(address), this.#cells.end(address));
    return this.#reader;
  }

  /** Opens the state of a packed group for reading. Valid until the next group is read. */
  read(slot: number): BytesReader {
    const address = this.#addressOf(slot);
    const page = this.#cells.page(address);
    const start = this.#cells.start(address);
    const trailer = this.#cells.end(address) - trailerBytes;
    // Read by hand, because lists and searches read many groups and `readUIntLE` checks its arguments.
    const length = (page[trailer] ?? 0) + (page[trailer + 1] ?? 0) * 0x100 + (page[trailer + 2] ?? 0) * 0x10000;
    this.#reader.open(page, start, start + length);
    return this.#reader;
  }

  reportPointers(slot: number): ReportPointers {
    this.#openReportPointers(slot);
    const reports = new ReportPointers();
    reports.unpack(this.#reader);
    return reports;
  }

  #openReportPointers(slot: number): void {
    const address = this.#addressOf(slot);
    const page = this.#cells.page(address);
    const end = this.#cells.end(address) - trailerBytes;
    this.#reader.open(page, this.#cells.start(address) + page.readUIntLE(end, 3), end);
  }

  oldestStoredAt(slot: number): number {
    const address = this.#addressOf(slot);
    return this.#cells.page(address).readUIntLE(this.#cells.end(address) - 6, 6);
  }

  /** Sets the time at which the group was resolved. Null if it is active. */
  setResolvedAt(slot: number, resolvedAt: number | null): void {
    const address = this.#addressOf(slot);
    const page = this.#cells.page(address);
    const start = this.#cells.start(address);
    const end = this.#cells.end(address);
    const pointersStart = start + page.readUIntLE(end - trailerBytes, 3);
    const writer = this.#writer;
    writer.clear();
    this.#reader.open(page, start, pointersStart);
    repackResolvedAt(this.#reader, resolvedAt, writer);
    const stateLength = writer.size;
    writer.raw(page, pointersStart, end - trailerBytes);
    writeTrailer(writer, stateLength, this.oldestStoredAt(slot));
    this.#columns.addresses[slot] = this.#cells.put(slot, writer.bytes, 0, writer.size, address);
  }

  /**
   * Records the new position of a stored report: see `ReportPointers.put`. A start calls this once for most groups, so
   * it rewrites only the pointers and the trailer. Returns the change of the total body size in bytes. Returns null and
   * changes nothing if the new pointers don't fit into the cell.
   */
  moveStoredReport(slot: number, moved: LogPointer, retentionReports: number): number | null {
    const address = this.#addressOf(slot);
    const end = this.#cells.end(address) - trailerBytes;
    const length = this.#cells.page(address).readUIntLE(end, 3);
    if (end - this.#cells.start(address) - length > maxMovableBytes) return null;
    const reports = this.reportPointers(slot);
    const { bytes } = reports;
    reports.put(moved, retentionReports);
    this.#writer.clear();
    this.#writeReportPointers(reports, length);
    return this.#cells.writeEnd(address, length, this.#writer.bytes, this.#writer.size) ? reports.bytes - bytes : null;
  }

  remove(slot: number): void {
    const address = this.#addressOf(slot);
    if (address !== 0) this.#cells.free(address);
  }

  #addressOf(slot: number): number {
    return this.#columns.addresses[slot] ?? 0;
  }

  /** Writes the pointers to the stored reports and the trailer after a state. */
  #writeReportPointers(reports: ReportPointers, stateLength: number): void {
    ReportPointers.pack(reports.all(), this.#writer);
    writeTrailer(this.#writer, stateLength, Math.min(reports.oldestAt, never));
  }
}

function writeTrailer(to: BytesWriter, stateLength: number, oldestStoredAt: number): void {
  to.fixed(stateLength, 3);
  to.fixed(oldestStoredAt, 6);
}
