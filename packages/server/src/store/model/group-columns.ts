import type { GroupStatus } from '@service/protocol';
import type { GroupFacts } from './group-state.ts';
import { hexOf } from '../codec/hex-words.ts';
import { keyedHash } from '../codec/keyed-hash.ts';

const minSize = 256;
/** Up to this size columns grow fourfold: copying costs time, and memory pages that were never written cost nothing. */
const maxQuickGrowth = 2 ** 18;
export const activeStatus = 1;
export const resolvedStatus = 2;

/** Of the facts those that decisions need. */
export type GroupSnapshot = Pick<GroupFacts, 'projectId' | 'status' | 'count'>;

/**
 * The facts of all groups, each a column of numbers by slot: what orders and filters run over, and a fourth of
 * what the objects would take. A slot that is free has no status.
 */
export class GroupColumns {
  /** Slots that are or were in use. */
  length = 0;
  ids = new Float64Array(minSize);
  projects = new Int32Array(minSize);
  statuses = new Uint8Array(minSize);
  counts = new Float64Array(minSize);
  firstSeen = new Float64Array(minSize);
  lastSeen = new Float64Array(minSize);
  users = new Uint32Array(minSize);
  /** Where the rest of a group is. */
  places = new Float64Array(minSize);
  #fingerprints = new Int32Array(minSize * 4);
  /** Of `Changes`: the last one of each slot. */
  lastChanges = new Float64Array(minSize);
  /** Of the log: number of the batch that changed last what is shown of each slot; 0 where the log has only its state. */
  lastBatches = new Float64Array(minSize);
  readonly #free: number[] = [];

  /** Reserves room for this many groups, so that the columns do not grow step by step. */
  reserve(size: number): void {
    if (size > this.ids.length) this.#grow(size);
  }

  /** A slot for one more group. */
  take(id: number, projectId: number, print: Int32Array): number {
    const slot = this.#free.pop() ?? this.length++;
    if (slot >= this.ids.length) this.#grow(this.ids.length * (slot < maxQuickGrowth ? 4 : 2));
    this.ids[slot] = id;
    this.projects[slot] = projectId;
    for (let word = 0; word < 4; word++) this.#fingerprints[slot * 4 + word] = print[word] ?? 0;
    this.lastChanges[slot] = -Infinity;
    this.lastBatches[slot] = 0;
    this.places[slot] = 0;
    return slot;
  }

  /** What changes of a group. */
  write(slot: number, group: Omit<GroupFacts, 'id' | 'projectId' | 'fingerprint'> & { users: number }): void {
    this.writeStatus(slot, group.status);
    this.counts[slot] = group.count;
    this.firstSeen[slot] = group.firstSeenAt;
    this.lastSeen[slot] = group.lastSeenAt;
    this.users[slot] = group.users;
  }

  writeStatus(slot: number, status: GroupStatus): void {
    this.statuses[slot] = status === 'active' ? activeStatus : resolvedStatus;
  }

  release(slot: number): void {
    this.statuses[slot] = 0;
    this.ids[slot] = 0;
    this.#free.push(slot);
  }

  facts(slot: number): GroupFacts {
    return {
      id: this.ids[slot] ?? 0,
      projectId: this.projects[slot] ?? 0,
      fingerprint: this.fingerprint(slot),
      status: this.statuses[slot] === activeStatus ? 'active' : 'resolved',
      count: this.counts[slot] ?? 0,
      firstSeenAt: this.firstSeen[slot] ?? 0,
      lastSeenAt: this.lastSeen[slot] ?? 0,
    };
  }

  snapshot(slot: number): GroupSnapshot {
    return {
      projectId: this.projects[slot] ?? 0,
      status: this.statuses[slot] === activeStatus ? 'active' : 'resolved',
      count: this.counts[slot] ?? 0,
    };
  }

  fingerprint(slot: number): string {
    const prints = this.#fingerprints;
    const at = slot * 4;
    return hexOf(prints[at] ?? 0, prints[at + 1] ?? 0, prints[at + 2] ?? 0, prints[at + 3] ?? 0);
  }

  /** The hash of a slot's project and fingerprint. */
  fingerprintHash(slot: number): number {
    const prints = this.#fingerprints;
    const at = slot * 4;
    return keyedHash(
      prints[at] ?? 0,
      prints[at + 1] ?? 0,
      prints[at + 2] ?? 0,
      prints[at + 3] ?? 0,
      this.projects[slot] ?? 0,
    );
  }

  /** The hash of a project and the words of a fingerprint. */
  hashOf(projectId: number, print: Int32Array): number {
    return keyedHash(print[0] ?? 0, print[1] ?? 0, print[2] ?? 0, print[3] ?? 0, projectId);
  }

  hasFingerprint(slot: number, projectId: number, print: Int32Array): boolean {
    const prints = this.#fingerprints;
    const at = slot * 4;
    return (
      prints[at] === print[0] &&
      prints[at + 1] === print[1] &&
      prints[at + 2] === print[2] &&
      prints[at + 3] === print[3] &&
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
    this.places = grown(this.places, new Float64Array(length));
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
