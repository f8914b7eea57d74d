import type { GroupStatus } from '@service/protocol';
import type { GroupFacts } from './group-state.ts';
import { hexOf } from '../codec/hex-words.ts';
import { keyedHash } from '../structures/keyed-hash.ts';

const minLength = 256;
/** Below this size, columns grow fourfold. Copying them takes time, while unused memory pages cost nothing. */
const maxQuickColumnGrowth = 2 ** 18;
export const activeStatus = 1;
export const resolvedStatus = 2;

/** The facts that transactions need. */
export type GroupSnapshot = Pick<GroupFacts, 'projectId' | 'status' | 'count'>;

/** The facts that a group shows of itself and of the groups that are merged into it. */
export type SummedFacts = Pick<GroupFacts, 'count' | 'firstSeenAt' | 'lastSeenAt'> & { users: number };

/**
 * The facts of all groups as columns of numbers by slot. Orders and filters scan them, and they take a fourth of the
 * memory of objects. A free slot has status 0.
 */
export class GroupColumns {
  /** Number of slots that are or were in use. */
  length = 0;
  ids = new Float64Array(minLength);
  projects = new Int32Array(minLength);
  statuses = new Uint8Array(minLength);
  counts = new Float64Array(minLength);
  firstSeen = new Float64Array(minLength);
  lastSeen = new Float64Array(minLength);
  users = new Uint32Array(minLength);
  /** The address of each packed group in the slab allocator. */
  addresses = new Float64Array(minLength);
  #fingerprints = new Int32Array(minLength * 4);
  /** Index of the last change of each slot in the dirty ring. */
  lastChanges = new Float64Array(minLength);
  /**
   * Number of the batch that last changed the visible data of each slot. 0 if the log contains only its written state.
   */
  lastBatches = new Float64Array(minLength);
  /** 1 for a group that is merged into another one: lists don't show it. */
  merged = new Uint8Array(minLength);
  /** The own facts of groups into which others are merged: their columns have the sums. */
  readonly #own = new Map<number, SummedFacts>();
  readonly #free: number[] = [];

  /** Reserves room for this many groups, so that the columns do not grow in steps. */
  reserve(size: number): void {
    if (size > this.ids.length) this.#grow(size);
  }

  /** Assigns a slot to a new group. */
  take(id: number, projectId: number, fingerprint: Int32Array): number {
    const slot = this.#free.pop() ?? this.length++;
    if (slot >= this.ids.length) this.#grow(this.ids.length * (slot < maxQuickColumnGrowth ? 4 : 2));
    this.ids[slot] = id;
    this.projects[slot] = projectId;
    for (let word = 0; word < 4; word++) this.#fingerprints[slot * 4 + word] = fingerprint[word] ?? 0;
    this.lastChanges[slot] = -Infinity;
    this.lastBatches[slot] = 0;
    this.addresses[slot] = 0;
    return slot;
  }

  /** Writes the facts of a group that can change. */
  write(slot: number, group: Omit<GroupFacts, 'id' | 'projectId' | 'fingerprint'> & { users: number }): void {
    this.writeStatus(slot, group.status);
    const { count, firstSeenAt, lastSeenAt, users } = group;
    if (this.#own.has(slot)) this.#own.set(slot, { count, firstSeenAt, lastSeenAt, users });
    else this.#writeSummed(slot, group);
  }

  /** Lets a group show the sums of itself and the groups that are merged into it. */
  showSums(slot: number, sums: SummedFacts): void {
    this.#own.set(slot, this.ownFacts(slot));
    this.#writeSummed(slot, sums);
  }

  /** Lets a group show its own facts again. */
  showOwn(slot: number): void {
    this.#writeSummed(slot, this.ownFacts(slot));
    this.#own.delete(slot);
  }

  /** Returns the facts of a group without the groups that are merged into it. */
  ownFacts(slot: number): Readonly<SummedFacts> {
    return (
      this.#own.get(slot) ?? {
        count: this.counts[slot] ?? 0,
        firstSeenAt: this.firstSeen[slot] ?? 0,
        lastSeenAt: this.lastSeen[slot] ?? 0,
        users: this.users[slot] ?? 0,
      }
    );
  }

  #writeSummed(slot: number, { count, firstSeenAt, lastSeenAt, users }: SummedFacts): void {
    this.counts[slot] = count;
    this.firstSeen[slot] = firstSeenAt;
    this.lastSeen[slot] = lastSeenAt;
    this.users[slot] = users;
  }

  writeStatus(slot: number, status: GroupStatus): void {
    this.statuses[slot] = status === 'active' ? activeStatus : resolvedStatus;
  }

  release(slot: number): void {
    this.statuses[slot] = 0;
    this.ids[slot] = 0;
    this.merged[slot] = 0;
    this.#own.delete(slot);
    this.#free.push(slot);
  }

  facts(slot: number): GroupFacts {
    const { count, firstSeenAt, lastSeenAt } = this.ownFacts(slot);
    return {
      id: this.ids[slot] ?? 0,
      projectId: this.projects[slot] ?? 0,
      fingerprint: this.fingerprint(slot),
      status: this.statuses[slot] === activeStatus ? 'active' : 'resolved',
      count,
      firstSeenAt,
      lastSeenAt,
    };
  }

  snapshot(slot: number): GroupSnapshot {
    return {
      projectId: this.projects[slot] ?? 0,
      status: this.statuses[slot] === activeStatus ? 'active' : 'resolved',
      count: this.#own.get(slot)?.count ?? this.counts[slot] ?? 0,
    };
  }

  fingerprint(slot: number): string {
    const words = this.#fingerprints;
    const at = slot * 4;
    return hexOf(words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0);
  }

  /** Returns the hash of the project and the fingerprint of a slot. */
  fingerprintHash(slot: number): number {
    const words = this.#fingerprints;
    const at = slot * 4;
    return keyedHash(
      words[at] ?? 0,
      words[at + 1] ?? 0,
      words[at + 2] ?? 0,
      words[at + 3] ?? 0,
      this.projects[slot] ?? 0,
    );
  }

  /** Returns the hash of a project and the words of a fingerprint. */
  hashOf(projectId: number, fingerprint: Int32Array): number {
    return keyedHash(fingerprint[0] ?? 0, fingerprint[1] ?? 0, fingerprint[2] ?? 0, fingerprint[3] ?? 0, projectId);
  }

  hasFingerprint(slot: number, projectId: number, fingerprint: Int32Array): boolean {
    const words = this.#fingerprints;
    const at = slot * 4;
    return (
      words[at] === fingerprint[0] &&
      words[at + 1] === fingerprint[1] &&
      words[at + 2] === fingerprint[2] &&
      words[at + 3] === fingerprint[3] &&
      this.projects[slot] === projectId
    );
  }

  #grow(length: number): void {
    this.ids = grown(this.ids, new Float64Array(length));
    this.projects = grown(this.projects, new Int32Array(length));
    this.statuses = grown(this.statuses, new Uint8Array(length));
    this.counts = grown(this.counts, new Float64Array(length));
    this.firstSeen = grown(this.firstSeen, new Float64Array(length));
    this.lastSeen = grown(this.lastSeen, new Float64Array(length));
    this.users = grown(this.users, new Uint32Array(length));
    this.merged = grown(this.merged, new Uint8Array(length));
    this.addresses = grown(this.addresses, new Float64Array(length));
    this.lastChanges = grown(this.lastChanges, new Float64Array(length));
    this.lastBatches = grown(this.lastBatches, new Float64Array(length));
    this.#fingerprints = grown(this.#fingerprints, new Int32Array(length * 4));
  }
}

function grown<Column extends Float64Array | Int32Array | Uint8Array | Uint32Array>(
  old: Column,
  larger: Column,
): Column {
  larger.set(old);
  return larger;
}
