import type { ErrorGroup, GroupStatus } from '@service/protocol';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';
import { dayMs } from '../../time/units.ts';
import { largeGroupBytes } from '../structures/memory-limits.ts';
import { DirtyRing } from '../structures/dirty-ring.ts';
import type { OpeningEntry } from '../records/entry.ts';
import { GroupColumns, type GroupSnapshot } from './group-columns.ts';
import { GroupState, packedCustomTags, packedRecord, packedSearchText, type GroupFacts } from './group-state.ts';
import type { ValueFilter } from './value-filters.ts';
import { HashIndex } from '../structures/hash-index.ts';
import { ProjectSlots } from '../structures/project-slots.ts';
import type { TimeShift } from '../records/time-shift.ts';
import type { TagCounts } from '../structures/tag-counts.ts';
import { readHexWords } from '../codec/hex-words.ts';
import { ReportPointers } from './report-pointers.ts';
import type { LogPointer } from './log-pointer.ts';
import { PackedGroups } from './packed-groups.ts';
import { MergedGroups } from './merged-groups.ts';
import { GroupStateCache } from './group-state-cache.ts';
import { ProjectSizes } from './project-sizes.ts';
import type { MergeRecord } from '../records/grouping-records.ts';
import type { Table } from '../records/table.ts';

/** Larger groups are packed again when they are loaded, which limits values that an earlier version did not limit. */
const maxPackedBytes = 16 * 1024;

/** An earlier correction may have moved the counts of a day to a later day than the times of their reports. */
const maxBucketErrorMs = 2 * dayMs;

/**
 * All groups. Most of them are inactive and stored packed outside the heap, with their facts in columns. A group that
 * changes often stays unpacked in a cache, and is packed again when another group needs the room.
 */
export class GroupTable {
  readonly columns = new GroupColumns();
  readonly merged: MergedGroups;
  /** Slots of groups that were added, changed or removed. */
  readonly changes = new DirtyRing();
  /** Number of the batch that is being applied. */
  batchNumber = 0;
  size = 0;
  readonly sizes = new ProjectSizes();
  readonly #slots = new ProjectSlots();
  /** Number of corrections of times: see `shiftTimes`. */
  shifts = 0;
  readonly #packed = new PackedGroups(this.columns);
  readonly #byId = new HashIndex((slot) => hashOfId(this.columns.ids[slot] ?? 0));
  readonly #byFingerprint = new HashIndex((slot) => this.columns.fingerprintHash(slot));
  readonly #cache: GroupStateCache;
  readonly #words = new Int32Array(4);

  /** `maxCached` is the maximum number of groups in the cache. */
  constructor(maxCached: number, merges: Table<MergeRecord>) {
    this.#cache = new GroupStateCache(maxCached, {
      unpack: (slot) => this.#packed.unpack(slot),
      pack: (slot, group) => this.#pack(slot, group),
    });
    this.merged = new MergedGroups(merges, this.columns, (id) => this.slotOf(id));
  }

  /** Reserves room for this many groups. */
  reserve(size: number): void {
    this.columns.reserve(size);
    this.#slots.reserve(size);
    this.#byId.reserve(size);
    this.#byFingerprint.reserve(size);
  }

  has(id: number): boolean {
    return this.slotOf(id) >= 0;
  }

  /**
   * Returns a group for reading, with the groups that are merged into it: a copy, or the live object if it is cached
   * and nothing is merged into it.
   */
  get(id: number): GroupState | undefined {
    const slot = this.slotOf(id);
    return slot < 0 ? undefined : this.#combined(slot);
  }

  /** Returns a group for reading without the groups that are merged into it. */
  own(id: number): GroupState | undefined {
    const slot = this.slotOf(id);
    return slot < 0 ? undefined : this.#peek(slot);
  }

  #combined(slot: number): GroupState {
    const [, ...others] = this.merged.membersOf(slot) ?? [];
    const own = this.#peek(slot);
    return others.length === 0
      ? own
      : GroupState.combine(
          own,
          others.map((other) => this.#peek(other)),
        );
  }

  /** Returns the facts of a group, or undefined if there is no such group. */
  facts(id: number): GroupFacts | undefined {
    const slot = this.slotOf(id);
    return slot < 0 ? undefined : this.columns.facts(slot);
  }

  /** Returns the facts that transactions need. Reads them from the columns, without opening the group. */
  snapshot(id: number): GroupSnapshot | undefined {
    const slot = this.slotOf(id);
    return slot < 0 ? undefined : this.columns.snapshot(slot);
  }

  #peek(slot: number): GroupState {
    return this.#cache.get(slot) ?? this.#packed.unpack(slot);
  }

  /** Returns a group as lists show it. */
  record(slot: number, now: number): ErrorGroup {
    if (this.merged.membersOf(slot)) return this.#combined(slot).toRecord(now);
    const cached = this.#cache.get(slot);
    if (cached) return cached.toRecord(now);
    return packedRecord(this.columns.facts(slot), this.columns.users[slot] ?? 0, this.#packed.read(slot), now);
  }

  /** Finds the pointer to a stored report of a group or of the groups that are merged into it. */
  findReportPointer(groupId: number, id: number): LogPointer | undefined {
    const ids = [groupId, ...this.merged.mergedIds(groupId)];
    for (const each of ids) {
      const found = this.reportPointers(each).find(id);
      if (found) return found;
    }
    return undefined;
  }

  /**
   * Returns pointers to the stored reports of a group, without opening the rest of it; none if the group is missing.
   */
  reportPointers(id: number): ReportPointers {
    const slot = this.slotOf(id);
    if (slot < 0) return new ReportPointers();
    return this.#cache.get(slot)?.reportPointers ?? this.#packed.reportPointers(slot);
  }

  *ids(): Generator<number> {
    for (let slot = 0; slot < this.columns.length; slot++) {
      const id = this.columns.ids[slot] ?? 0;
      if (id !== 0) yield id;
    }
  }

  /** Returns when the newest report was received; 0 without groups. */
  newestReportAt(): number {
    let newest = 0;
    for (let slot = 0; slot < this.columns.length; slot++)
      if (this.columns.ids[slot] !== 0) newest = Math.max(newest, this.columns.lastSeen[slot] ?? 0);
    return newest;
  }

  /** Returns the slot of a group, or -1 if there is no such group. */
  slotOf(id: number): number {
    const index = this.#byId;
    for (let probe = index.probe(hashOfId(id)); ; probe = index.next(probe)) {
      const slot = index.at(probe);
      if (slot < 0 || this.columns.ids[slot] === id) return slot;
    }
  }

  find(projectId: number, fingerprint: string): number | undefined {
    if (!readHexWords(fingerprint, this.#words)) return undefined;
    const index = this.#byFingerprint;
    for (let probe = index.probe(this.columns.hashOf(projectId, this.#words)); ; probe = index.next(probe)) {
      const slot = index.at(probe);
      if (slot < 0) return undefined;
      if (this.columns.hasFingerprint(slot, projectId, this.#words)) return this.columns.ids[slot];
    }
  }

  /** Yields the slots of the groups of a project. The group that was yielded last may be removed. */
  slotsOf(projectId: number): Generator<number> {
    return this.#slots.of(projectId);
  }

  /** Returns the characters of the custom tags that the groups of a project count. */
  tagChars(projectId: number): number {
    return this.sizes.tagCharsOf(projectId, () => {
      let chars = 0;
      for (const slot of this.slotsOf(projectId)) chars += this.customTags(slot).chars;
      return chars;
    });
  }

  /** Returns the custom tags that a group shows. */
  shownTags(slot: number): TagCounts {
    return this.merged.membersOf(slot) ? this.#combined(slot).customTags : this.customTags(slot);
  }

  /** Returns the custom tags of a group for reading, without those of groups that are merged into it. */
  customTags(slot: number): TagCounts {
    return this.#cache.get(slot)?.customTags ?? packedCustomTags(this.#packed.read(slot));
  }

  /** Adds the group that a report opens, with that report counted. */
  open(
    { group_id, project_id, at, hasUser, fingerprint, bytes, start, end }: OpeningEntry,
    stored: LogPointer | null,
  ): void {
    for (let word = 0; word < 4; word++) this.#words[word] = fingerprint[word] ?? 0;
    const slot = this.#assignSlot(group_id, project_id, this.#words);
    const users = hasUser ? 1 : 0;
    this.columns.write(slot, { status: 'active', count: 1, firstSeenAt: at, lastSeenAt: at, users });
    this.#packed.addOpened(slot, bytes, start, end, stored);
    this.sizes.addStoredBytes(project_id, stored?.length ?? 0);
    this.#countTagsOf(slot, 1);
    this.#markVisiblyChanged(slot);
  }

  /** Updates what groups show after a group was merged or unmerged. */
  updateMerged(id: number): void {
    for (const slot of this.merged.update(id)) this.#markVisiblyChanged(slot);
  }

  /** Counts the users of merged groups again, for a list that is sorted by them. */
  countMergedUsers(): void {
    for (const slot of this.merged.takeStaleUsers()) this.columns.users[slot] = this.#combined(slot).users;
  }

  /** Changes a group. */
  change(id: number, change: (group: GroupState) => void): void {
    const slot = this.slotOf(id);
    if (slot < 0) return;
    this.#change(slot, change);
    this.#markVisiblyChanged(slot);
  }

  /** Changes the stored reports of a group. Lists don't show them, so live events are not sent. */
  changeReportPointers(id: number, change: (reports: ReportPointers) => void): void {
    const slot = this.slotOf(id);
    if (slot < 0) return;
    this.#change(slot, ({ reportPointers }) => change(reportPointers));
    this.#markChanged(slot);
  }

  #change(slot: number, change: (group: GroupState) => void): void {
    const group = this.#isBusy(slot) ? this.#cache.load(slot) : this.#peek(slot);
    const { bytes } = group.reportPointers;
    const { chars } = group.customTags;
    change(group);
    this.sizes.addStoredBytes(group.projectId, group.reportPointers.bytes - bytes);
    this.sizes.addTagChars(group.projectId, group.customTags.chars - chars);
    if (!this.#cache.markDirty(slot)) this.#pack(slot, group);
    this.columns.write(slot, group);
  }

  /** Corrects the times of all groups. A group may have been resolved after its last report. */
  shiftTimes(shift: TimeShift): void {
    this.shifts++;
    for (let slot = 0; slot < this.columns.length; slot++) {
      if (this.columns.ids[slot] === 0) continue;
      const isAffected =
        (this.columns.lastSeen[slot] ?? 0) >= shift.from - maxBucketErrorMs ||
        this.columns.snapshot(slot).status === 'resolved';
      if (!isAffected) continue;
      this.#change(slot, (group) => group.shiftTimes(shift));
      this.#markVisiblyChanged(slot);
    }
  }

  /** Sets the status of a group. A packed group stays packed, because most groups that are resolved are inactive. */
  setStatus(id: number, status: GroupStatus, at: number): void {
    const slot = this.slotOf(id);
    if (slot < 0) return;
    if (this.#cache.has(slot)) {
      this.change(id, (group) => group.setStatus(status, at));
      return;
    }
    this.#packed.setResolvedAt(slot, status === 'resolved' ? at : null);
    this.columns.writeStatus(slot, status);
    this.#markVisiblyChanged(slot);
  }

  /** Records the new position of a stored report: see `ReportPointers.put`. */
  moveStoredReport(id: number, stored: LogPointer, retentionReports: number): void {
    const slot = this.slotOf(id);
    if (slot < 0) return;
    const moreBytes = this.#cache.has(slot) ? null : this.#packed.moveStoredReport(slot, stored, retentionReports);
    if (moreBytes !== null) this.sizes.addStoredBytes(this.columns.projects[slot] ?? 0, moreBytes);
    else this.changeReportPointers(id, (reports) => reports.put(stored, retentionReports));
  }

  remove(id: number): void {
    const slot = this.slotOf(id);
    if (slot < 0) return;
    const projectId = this.columns.projects[slot] ?? 0;
    this.sizes.addStoredBytes(projectId, -this.reportPointers(id).bytes);
    this.#slots.remove(projectId, slot);
    this.#countTagsOf(slot, -1);
    this.sizes.addLargeBytes(projectId, -largePart(this.#packed.stateBytes(slot)));
    this.#byId.remove(hashOfId(id), slot);
    this.#byFingerprint.remove(this.columns.fingerprintHash(slot), slot);
    this.sizes.addGroups(projectId, -1);
    this.merged.remove(slot);
    this.#cache.remove(slot);
    this.#packed.remove(slot);
    this.columns.release(slot);
    this.size--;
    this.#markChanged(slot);
  }

  removeProject(projectId: number): void {
    for (const slot of this.slotsOf(projectId)) this.remove(this.columns.ids[slot] ?? 0);
    this.sizes.removeProject(projectId);
  }

  /** Returns a test whether a group matches a filter with this value. */
  filterTest(filter: ValueFilter, value: string): (slot: number) => boolean {
    const matchesPacked = filter.packedTest(value);
    const matchesOwn = (slot: number): boolean => {
      const cached = this.#cache.get(slot);
      if (cached) return cached.matches(filter, value);
      return matchesPacked(filter.isPlain ? this.#packed.readPlain(slot) : this.#packed.read(slot));
    };
    return (slot) => this.merged.membersOf(slot)?.some(matchesOwn) ?? matchesOwn(slot);
  }

  /** Returns the text that a search reads, in lower case. */
  searchText(slot: number): string {
    const members = this.merged.membersOf(slot);
    return members ? members.map((member) => this.#ownSearchText(member)).join('\n') : this.#ownSearchText(slot);
  }

  #ownSearchText(slot: number): string {
    return this.#cache.get(slot)?.searchText() ?? packedSearchText(this.#packed.read(slot));
  }

  /** Returns when the oldest stored report of a group was received. Later than any time if no report is stored. */
  oldestStoredAt(slot: number): number {
    return this.#cache.get(slot)?.reportPointers.oldestAt ?? this.#packed.oldestStoredAt(slot);
  }

  /**
   * Yields the ids of groups with a stored report from before a time, in chunks. Groups may change between two chunks.
   */
  *idsStoringBefore(at: number, atOnce: number): Generator<number[]> {
    let ids: number[] = [];
    for (let slot = 0; slot < this.columns.length; slot++) {
      const id = this.columns.ids[slot] ?? 0;
      if (id !== 0 && this.oldestStoredAt(slot) < at) ids.push(id);
      if (ids.length < atOnce) continue;
      yield ids;
      ids = [];
    }
    if (ids.length > 0) yield ids;
  }

  /** Writes a group for a `groups` entry: facts and state, without its stored reports. */
  packInto(slot: number, to: BytesWriter): void {
    this.#cache.writeBack(slot);
    const { id, projectId, fingerprint, status, count, firstSeenAt, lastSeenAt } = this.columns.facts(slot);
    to.uint(id);
    to.uint(projectId);
    readHexWords(fingerprint, this.#words);
    for (const word of this.#words) to.fixed(word >>> 0, 4);
    to.uint(status === 'active' ? 0 : 1);
    to.uint(count);
    to.uint(firstSeenAt);
    to.uint(lastSeenAt - firstSeenAt);
    to.uint(this.columns.ownFacts(slot).users);
    this.#packed.writeState(slot, to);
  }

  /** Adds a group that `packInto` wrote, unless it is known. */
  addPacked(bytes: Buffer, from: BytesReader): void {
    const id = from.uint();
    const projectId = from.uint();
    for (let word = 0; word < 4; word++) this.#words[word] = from.fixed(4);
    const status = from.uint() === 0 ? 'active' : 'resolved';
    const count = from.uint();
    const firstSeenAt = from.uint();
    const lastSeenAt = firstSeenAt + from.uint();
    const users = from.uint();
    const length = from.uint();
    const start = from.at;
    from.skip(length);
    if (this.has(id)) return;
    const slot = this.#assignSlot(id, projectId, this.#words);
    this.columns.write(slot, { status, count, firstSeenAt, lastSeenAt, users });
    this.#packed.addState(slot, bytes, start, start + length);
    this.sizes.addLargeBytes(projectId, largePart(this.#packed.stateBytes(slot)));
    // An earlier version packed values of tags without a limit. Reading them limits them.
    if (length > maxPackedBytes) this.#pack(slot, this.#packed.unpack(slot));
    this.#countTagsOf(slot, 1);
    this.changes.add(slot);
    this.merged.update(id);
  }

  #pack(slot: number, group: GroupState): void {
    const before = largePart(this.#packed.stateBytes(slot));
    this.#packed.pack(slot, group);
    this.sizes.addLargeBytes(group.projectId, largePart(this.#packed.stateBytes(slot)) - before);
  }

  /** Adds the size of the tags of a group to that of its project, or subtracts it. */
  #countTagsOf(slot: number, sign: 1 | -1): void {
    const projectId = this.columns.projects[slot] ?? 0;
    if (this.sizes.hasTagChars(projectId)) this.sizes.addTagChars(projectId, sign * this.customTags(slot).chars);
  }

  #markVisiblyChanged(slot: number): void {
    this.columns.lastBatches[slot] = this.batchNumber;
    this.#markChanged(slot);
    const target = this.merged.targetOf(slot);
    if (target === undefined) return;
    this.merged.sum(target);
    this.columns.lastBatches[target] = this.batchNumber;
    this.changes.add(target);
  }

  #markChanged(slot: number): void {
    this.columns.lastChanges[slot] = this.changes.count;
    this.changes.add(slot);
  }

  /**
   * Returns whether a group changes so often that it stays in the cache. Any other group is packed after each change,
   * so that its object is garbage collected while it is young.
   */
  #isBusy(slot: number): boolean {
    return this.changes.count - (this.columns.lastChanges[slot] ?? 0) < 4 * this.#cache.capacity;
  }

  #assignSlot(id: number, projectId: number, fingerprint: Int32Array): number {
    const slot = this.columns.take(id, projectId, fingerprint);
    this.#byId.add(hashOfId(id), slot);
    this.#byFingerprint.add(this.columns.fingerprintHash(slot), slot);
    this.sizes.addGroups(projectId, 1);
    this.#slots.add(projectId, slot);
    this.size++;
    return slot;
  }
}

function largePart(stateBytes: number): number {
  return Math.max(0, stateBytes - largeGroupBytes);
}

/**
 * Spreads sequential ids over the index: unhashed, they would form one long run, and each lookup would walk through it.
 */
function hashOfId(id: number): number {
  return Math.imul(id, 0x9e3779b1) >>> 1;
}
