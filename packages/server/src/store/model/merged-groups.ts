import type { MergeRecord } from '../records/grouping-records.ts';
import type { Table } from '../records/table.ts';
import type { GroupColumns } from './group-columns.ts';
import { sumOfFacts } from './group-state.ts';

/**
 * The groups that users have merged. A merged group keeps its own row, and reports with its fingerprint are still
 * counted there. Its target shows the sums. So unmerging restores both exactly, and a merge changes no stored report.
 */
export class MergedGroups {
  readonly #merges: Table<MergeRecord>;
  readonly #columns: GroupColumns;
  readonly #slotOf: (id: number) => number;
  /** The slots that each target shows, its own first. */
  readonly #members = new Map<number, readonly number[]>();
  /** The slot of the target, by the slot of each member, including the target itself. */
  readonly #targets = new Map<number, number>();
  /** Slots of targets whose users must be counted again. */
  readonly #staleUsers = new Set<number>();

  constructor(merges: Table<MergeRecord>, columns: GroupColumns, slotOf: (id: number) => number) {
    this.#merges = merges;
    this.#columns = columns;
    this.#slotOf = slotOf;
  }

  /** Returns the id of the group that shows the reports of a group: itself, unless it is merged. */
  targetId(id: number): number {
    let targetId = id;
    for (let merge = this.#merges.get(id); merge; merge = this.#merges.get(targetId)) targetId = merge.target_id;
    return targetId;
  }

  /** Yields the ids of the groups that are merged into a group, or into one of these. */
  *mergedIds(id: number): Generator<number> {
    for (const merge of this.#merges.withValue('target', String(id))) {
      yield merge.id;
      yield* this.mergedIds(merge.id);
    }
  }

  /** Returns the slots that a group shows, its own first, or undefined if no group is merged into it. */
  membersOf(slot: number): readonly number[] | undefined {
    return this.#members.size === 0 ? undefined : this.#members.get(slot);
  }

  /**
   * Returns the slot of the group that shows this one, or undefined if this one is not merged and nothing is merged
   * into it.
   */
  targetOf(slot: number): number | undefined {
    return this.#targets.size === 0 ? undefined : this.#targets.get(slot);
  }

  /** Reads again which groups are merged with a group. Returns the slots that may be shown differently. */
  update(id: number): readonly number[] {
    if (this.#merges.size === 0 && this.#members.size === 0) return this.#updateUnmerged(this.#slotOf(id));
    const target = this.#slotOf(this.targetId(id));
    // Their order decides between equally frequent tags. A compaction doesn't keep the order of the merges.
    const mergedIds = [...this.mergedIds(this.targetId(id))].toSorted((a, b) => a - b);
    const members = [this.targetId(id), ...mergedIds].map(this.#slotOf).filter((at) => at >= 0);
    const changed = new Set([...members, ...(this.#members.get(target) ?? [])]);
    for (const slot of changed) this.#forgetMembers(slot);
    for (const slot of members) this.#columns.merged[slot] = slot === target ? 0 : 1;
    if (target < 0 || members.length < 2) return [...changed];
    this.#members.set(target, members);
    for (const slot of members) this.#targets.set(slot, target);
    this.sum(target);
    return [...changed];
  }

  /** Works like `update` as long as nothing is merged: a start calls it for every group. */
  #updateUnmerged(slot: number): readonly number[] {
    if (slot < 0) return [];
    this.#columns.merged[slot] = 0;
    return [slot];
  }

  /** Adds up the facts of a target again. The number of users is added up when it is needed. */
  sum(target: number): void {
    const members = this.#members.get(target) ?? [];
    const { users } = this.#columns.ownFacts(target);
    const sums = sumOfFacts(members.map((slot) => this.#columns.ownFacts(slot)));
    this.#columns.showSums(target, { ...sums, users });
    this.#staleUsers.add(target);
  }

  /** Takes the targets whose users must be counted again. */
  takeStaleUsers(): number[] {
    const targets = [...this.#staleUsers];
    this.#staleUsers.clear();
    return targets;
  }

  /** Forgets a group that is removed. */
  remove(slot: number): void {
    const target = this.#targets.get(slot);
    if (target === undefined) return;
    const members = this.#members.get(target)?.filter((member) => member !== slot) ?? [];
    this.#forgetMembers(target);
    if (target === slot || members.length < 2) return;
    this.#members.set(target, members);
    for (const member of members) this.#targets.set(member, target);
    this.sum(target);
  }

  #forgetMembers(target: number): void {
    const members = this.#members.get(target);
    if (!members) return;
    for (const slot of members) this.#targets.delete(slot);
    this.#members.delete(target);
    this.#staleUsers.delete(target);
    this.#columns.showOwn(target);
  }
}
