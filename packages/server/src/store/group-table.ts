import type { ErrorGroup, GroupStatus } from '@service/protocol';
import { BytesReader } from './bytes-reader.ts';
import { BytesWriter } from './bytes-writer.ts';
import { ByteCells } from './byte-cells.ts';
import { Changes } from './changes.ts';
import type { OpeningEntry } from './entry.ts';
import { GroupColumns, type GroupStanding } from './group-columns.ts';
import { GroupState, packedHasTag, packedRecord, repackResolvedAt, type FilterTag } from './group-state.ts';
import { HashIndex } from './hash-index.ts';
import { readHexWords } from './hex-words.ts';
import { KeptReports, type KeptPlace } from './kept-reports.ts';

/** A packed group ends with the length of its state in three bytes, and in six when the oldest of its kept reports came. */
const trailerBytes = 9;
const never = 2 ** 48 - 1;
/** Of places of kept reports: some ten. */
const fewKeptBytes = 160;
/** Room for one. */
const keptPlaceBytes = 20;
/** What stands behind the state of a group that keeps no report: none, and the trailer. */
const withoutKept = Buffer.from([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);

interface OpenGroup {
  slot: number;
  group: GroupState;
  /** Whether it differs from its packed form. */
  isChanged: boolean;
  /** Whether it was asked for since it last might have been closed. */
  isUsed: boolean;
  /** Its index in the circle. */
  seat: number;
}

/**
 * All groups. Most of them are quiet and lie packed outside the heap, their facts in columns; a group that is
 * looked at or changed is opened into a GroupState, and packed again when others have taken its turn.
 */
export class GroupTable {
  readonly columns = new GroupColumns();
  /** Slots of groups that came, changed or went. */
  readonly changes = new Changes();
  size = 0;
  /** Bytes of the bodies of all kept reports. */
  keptBytes = 0;
  readonly #mostOpen: number;
  readonly #cells = new ByteCells((slot, place) => (this.columns.places[slot] = place));
  readonly #byId = new HashIndex((slot) => hashOfId(this.columns.ids[slot] ?? 0));
  readonly #byPrint = new HashIndex((slot) => this.columns.printHash(slot));
  readonly #sizeOfProject = new Map<number, number>();
  readonly #open = new Map<number, OpenGroup>();
  /** The open ones in a circle, in which the hand goes round to close one that nobody used. */
  readonly #circle: (OpenGroup | undefined)[] = [];
  #hand = 0;
  readonly #writer = new BytesWriter();
  readonly #reader = new BytesReader();
  readonly #print = new Int32Array(4);

  /** `mostOpen`: so many groups are held as objects, those that were used last. */
  constructor(mostOpen: number) {
    this.#mostOpen = mostOpen;
  }

  /** Makes room for so many groups. */
  reserve(size: number): void {
    this.columns.reserve(size);
    this.#byId.reserve(size);
    this.#byPrint.reserve(size);
  }

  has(id: number): boolean {
    return this.slotOf(id) >= 0;
  }

  /** A group to read: as it is now, or as it was when it was read. */
  get(id: number): GroupState | undefined {
    const slot = this.slotOf(id);
    return slot < 0 ? undefined : this.peek(slot);
  }

  /** What decisions need of it: for this no packed group has to be opened. */
  standing(id: number): GroupStanding | undefined {
    const slot = this.slotOf(id);
    return slot < 0 ? undefined : this.columns.standing(slot);
  }

  peek(slot: number): GroupState {
    return this.#open.get(slot)?.group ?? this.#unpack(slot);
  }

  /** A group as lists show it. */
  record(slot: number, now: number): ErrorGroup {
    const open = this.#open.get(slot);
    if (open) return open.group.toRecord(now);
    const place = this.columns.places[slot] ?? 0;
    this.#reader.open(this.#cells.page(place), this.#cells.start(place), this.#cells.end(place));
    return packedRecord(this.columns.facts(slot), this.columns.users[slot] ?? 0, this.#reader, now);
  }

  /** The kept reports of a group to read, without opening the rest of it; none if there is no such group. */
  kept(id: number): KeptReports {
    const slot = this.slotOf(id);
    const open = this.#open.get(slot);
    if (open) return open.group.kept;
    const kept = new KeptReports();
    if (slot < 0) return kept;
    const cell = this.columns.places[slot] ?? 0;
    const page = this.#cells.page(cell);
    const end = this.#cells.end(cell) - trailerBytes;
    this.#reader.open(page, this.#cells.start(cell) + page.readUIntLE(end, 3), end);
    kept.unpack(this.#reader);
    return kept;
  }

  *ids(): Generator<number> {
    for (let slot = 0; slot < this.columns.length; slot++) {
      const id = this.columns.ids[slot] ?? 0;
      if (id !== 0) yield id;
    }
  }

  /** The slot of a group, or -1. */
  slotOf(id: number): number {
    const index = this.#byId;
    for (let probe = index.probe(hashOfId(id)); ; probe = index.next(probe)) {
      const slot = index.at(probe);
      if (slot < 0 || this.columns.ids[slot] === id) return slot;
    }
  }

  find(projectId: number, fingerprint: string): number | undefined {
    if (!readHexWords(fingerprint, this.#print)) return undefined;
    const index = this.#byPrint;
    for (let probe = index.probe(this.columns.hashOf(projectId, this.#print)); ; probe = index.next(probe)) {
      const slot = index.at(probe);
      if (slot < 0) return undefined;
      if (this.columns.isOf(slot, projectId, this.#print)) return this.columns.ids[slot];
    }
  }

  /** How many groups a project has. */
  countOf(projectId: number): number {
    return this.#sizeOfProject.get(projectId) ?? 0;
  }

  /** Adds a group that a report opens, with that report. */
  open({ group_id, project_id, at, hasUser, print, bytes, start, end }: OpeningEntry, kept: KeptPlace | null): void {
    for (let word = 0; word < 4; word++) this.#print[word] = print[word] ?? 0;
    const slot = this.#take(group_id, project_id, this.#print);
    const users = hasUser ? 1 : 0;
    this.columns.write(slot, { status: 'active', count: 1, firstSeenAt: at, lastSeenAt: at, users });
    const length = end - start;
    this.#writer.clear();
    KeptReports.packOne(kept, this.#writer);
    this.#writeTrailer(length, kept?.at ?? never);
    const place = this.#cells.put(slot, bytes, start, end, 0, this.#writer.size);
    this.#cells.writeEnd(place, length, this.#writer.bytes, this.#writer.size);
    this.columns.places[slot] = place;
    this.keptBytes += kept?.length ?? 0;
    this.#note(slot);
  }

  /** Changes a group and notes it. False if there is none. */
  change(id: number, change: (group: GroupState) => void): boolean {
    const slot = this.slotOf(id);
    if (slot < 0) return false;
    const open = this.#isBusy(slot) ? this.#opened(slot) : this.#open.get(slot);
    const group = open?.group ?? this.#unpack(slot);
    const { bytes } = group.kept;
    change(group);
    this.keptBytes += group.kept.bytes - bytes;
    if (open) open.isChanged = true;
    else this.#pack(slot, group);
    this.columns.write(slot, group);
    this.#note(slot);
    return true;
  }

  /** Most groups that are settled are quiet, and stay packed. */
  setStatus(id: number, status: GroupStatus, at: number): void {
    const slot = this.slotOf(id);
    if (slot < 0) return;
    if (this.#open.has(slot)) {
      this.change(id, (group) => group.setStatus(status, at));
      return;
    }
    const place = this.columns.places[slot] ?? 0;
    const page = this.#cells.page(place);
    const start = this.#cells.start(place);
    const end = this.#cells.end(place);
    const keptStart = start + page.readUIntLE(end - trailerBytes, 3);
    const writer = this.#writer;
    writer.clear();
    this.#reader.open(page, start, keptStart);
    repackResolvedAt(this.#reader, status === 'resolved' ? at : null, writer);
    const stateLength = writer.size;
    writer.raw(page, keptStart, end - trailerBytes);
    this.#writeTrailer(stateLength, this.#oldestKeptAt(slot));
    this.columns.places[slot] = this.#cells.put(slot, writer.bytes, 0, writer.size, place);
    this.columns.writeStatus(slot, status);
    this.#note(slot);
  }

  /** Notes that a kept report stands elsewhere from now on: see `KeptReports.put`. */
  moveKept(id: number, kept: KeptPlace, retentionReports: number): void {
    const slot = this.slotOf(id);
    if (slot < 0) return;
    if (this.#open.has(slot) || !this.#moveKeptOfPacked(slot, kept, retentionReports)) {
      this.change(id, (group) => group.kept.put(kept, retentionReports));
    }
  }

  /** A start does this for most groups, once: only what stands behind the state is written. False if that can't be. */
  #moveKeptOfPacked(slot: number, place: KeptPlace, retentionReports: number): boolean {
    const cell = this.columns.places[slot] ?? 0;
    const page = this.#cells.page(cell);
    const start = this.#cells.start(cell);
    const end = this.#cells.end(cell) - trailerBytes;
    const length = page.readUIntLE(end, 3);
    if (end - start - length > fewKeptBytes) return false;
    this.#reader.open(page, start + length, end);
    const kept = new KeptReports();
    kept.unpack(this.#reader);
    const { bytes } = kept;
    kept.put(place, retentionReports);
    this.#writer.clear();
    this.#writeKept(kept.places(), length);
    if (!this.#cells.writeEnd(cell, length, this.#writer.bytes, this.#writer.size)) return false;
    this.keptBytes += kept.bytes - bytes;
    return true;
  }

  remove(id: number): void {
    const slot = this.slotOf(id);
    if (slot < 0) return;
    const projectId = this.columns.projects[slot] ?? 0;
    this.keptBytes -= this.kept(id).bytes;
    this.#byId.remove(hashOfId(id), slot);
    this.#byPrint.remove(this.columns.printHash(slot), slot);
    this.#sizeOfProject.set(projectId, this.countOf(projectId) - 1);
    const open = this.#open.get(slot);
    if (open) this.#circle[open.seat] = undefined;
    this.#open.delete(slot);
    const place = this.columns.places[slot] ?? 0;
    if (place !== 0) this.#cells.free(place);
    this.columns.release(slot);
    this.size--;
    this.#note(slot);
  }

  removeProject(projectId: number): void {
    if (this.countOf(projectId) > 0) {
      for (let slot = 0; slot < this.columns.length; slot++) {
        if (this.columns.ids[slot] !== 0 && this.columns.projects[slot] === projectId) {
          this.remove(this.columns.ids[slot] ?? 0);
        }
      }
    }
    this.#sizeOfProject.delete(projectId);
  }

  /** Whether any report of the group had this value. `value` is its text, `bytes` the same as `plainText` writes it. */
  hasTag(slot: number, name: FilterTag, value: string, bytes: Buffer): boolean {
    const open = this.#open.get(slot);
    if (open) return open.group.hasTag(name, value);
    const place = this.columns.places[slot] ?? 0;
    this.#reader.open(this.#cells.page(place), this.#cells.start(place), this.#cells.end(place));
    return packedHasTag(this.#reader, name, bytes);
  }

  /** Groups that keep a report which was received before a moment, so many at a time. They may change between two. */
  *keepingBefore(at: number, atOnce: number): Generator<number[]> {
    let ids: number[] = [];
    for (let slot = 0; slot < this.columns.length; slot++) {
      const id = this.columns.ids[slot] ?? 0;
      if (id !== 0 && this.#oldestKeptAt(slot) < at) ids.push(id);
      if (ids.length < atOnce) continue;
      yield ids;
      ids = [];
    }
    if (ids.length > 0) yield ids;
  }

  /** Writes a group as an entry carries it: facts and state, without its kept reports. */
  packInto(slot: number, to: BytesWriter): void {
    const open = this.#open.get(slot);
    if (open) this.#settle(open);
    const { id, projectId, fingerprint, status, count, firstSeenAt, lastSeenAt } = this.columns.facts(slot);
    to.uint(id);
    to.uint(projectId);
    readHexWords(fingerprint, this.#print);
    for (const word of this.#print) to.fixed(word >>> 0, 4);
    to.uint(status === 'active' ? 0 : 1);
    to.uint(count);
    to.uint(firstSeenAt);
    to.uint(lastSeenAt - firstSeenAt);
    to.uint(this.columns.users[slot] ?? 0);
    const place = this.columns.places[slot] ?? 0;
    const page = this.#cells.page(place);
    const start = this.#cells.start(place);
    const length = page.readUIntLE(this.#cells.end(place) - trailerBytes, 3);
    to.uint(length + withoutKept.length);
    to.raw(page, start, start + length);
    withoutKept.writeUIntLE(length, 1, 3);
    to.raw(withoutKept);
  }

  /** Adds a group that `packInto` wrote, unless it is known. */
  addPacked(bytes: Buffer, from: BytesReader): void {
    const id = from.uint();
    const projectId = from.uint();
    for (let word = 0; word < 4; word++) this.#print[word] = from.fixed(4);
    const status = from.uint() === 0 ? 'active' : 'resolved';
    const count = from.uint();
    const firstSeenAt = from.uint();
    const lastSeenAt = firstSeenAt + from.uint();
    const users = from.uint();
    const length = from.uint();
    const start = from.at;
    from.skip(length);
    if (this.has(id)) return;
    const slot = this.#take(id, projectId, this.#print);
    this.columns.write(slot, { status, count, firstSeenAt, lastSeenAt, users });
    this.columns.places[slot] = this.#cells.put(slot, bytes, start, start + length, 0, keptPlaceBytes);
    this.changes.note(slot);
  }

  #note(slot: number): void {
    this.columns.lastChanges[slot] = this.changes.count;
    this.changes.note(slot);
  }

  /** Whether it changes so often that it had better stay open. One that is packed at once leaves nothing old to collect. */
  #isBusy(slot: number): boolean {
    return this.changes.count - (this.columns.lastChanges[slot] ?? 0) < 4 * this.#mostOpen;
  }

  #take(id: number, projectId: number, print: Int32Array): number {
    const slot = this.columns.take(id, projectId, print);
    this.#byId.add(hashOfId(id), slot);
    this.#byPrint.add(this.columns.printHash(slot), slot);
    this.#sizeOfProject.set(projectId, this.countOf(projectId) + 1);
    this.size++;
    return slot;
  }

  #opened(slot: number): OpenGroup {
    const known = this.#open.get(slot);
    if (known) {
      known.isUsed = true;
      return known;
    }
    const open: OpenGroup = { slot, group: this.#unpack(slot), isChanged: false, isUsed: true, seat: 0 };
    this.#hold(open);
    return open;
  }

  #hold(open: OpenGroup): void {
    open.seat = this.#freeSeat();
    this.#circle[open.seat] = open;
    this.#open.set(open.slot, open);
  }

  /** The next seat of the circle that is empty, or whose group nobody used since the hand came by. */
  #freeSeat(): number {
    for (;;) {
      const seat = this.#hand;
      const open = this.#circle[seat];
      this.#hand = (seat + 1) % this.#mostOpen;
      if (!open) return seat;
      if (!open.isUsed) {
        this.#settle(open);
        this.#open.delete(open.slot);
        return seat;
      }
      open.isUsed = false;
    }
  }

  /** Packs a group that has changed. It stays open. */
  #settle(open: OpenGroup): void {
    if (open.isChanged) this.#pack(open.slot, open.group);
    open.isChanged = false;
  }

  #pack(slot: number, group: GroupState): void {
    const writer = this.#writer;
    writer.clear();
    group.pack(writer);
    this.#writeKept(group.kept.places(), writer.size);
    this.columns.places[slot] = this.#cells.put(slot, writer.bytes, 0, writer.size, this.columns.places[slot] ?? 0);
  }

  /** Writes the kept reports and the trailer behind a state. */
  #writeKept(kept: readonly KeptPlace[], stateLength: number): void {
    KeptReports.pack(kept, this.#writer);
    let oldestAt = never;
    for (const { at } of kept) if (at < oldestAt) oldestAt = at;
    this.#writeTrailer(stateLength, oldestAt);
  }

  #writeTrailer(stateLength: number, oldestAt: number): void {
    this.#writer.fixed(stateLength, 3);
    this.#writer.fixed(oldestAt, 6);
  }

  #unpack(slot: number): GroupState {
    const place = this.columns.places[slot] ?? 0;
    this.#reader.open(this.#cells.page(place), this.#cells.start(place), this.#cells.end(place));
    const group = GroupState.unpack(this.columns.facts(slot), this.#reader);
    group.kept.unpack(this.#reader);
    return group;
  }

  #oldestKeptAt(slot: number): number {
    const open = this.#open.get(slot);
    if (open) return open.group.kept.oldestAt;
    const place = this.columns.places[slot] ?? 0;
    return this.#cells.page(place).readUIntLE(this.#cells.end(place) - 6, 6);
  }
}

/** Ids are counted up: as they are they would fill an index without a gap, and every look would go through all of it. */
function hashOfId(id: number): number {
  return Math.imul(id, 0x9e3779b1) >>> 1;
}
