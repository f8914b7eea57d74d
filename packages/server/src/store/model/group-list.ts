import type { ErrorGroup, GroupQuery, Page, TagFacet } from '@service/protocol';
import { comparison, GroupOrder, type SortKey } from './group-order.ts';
import { GroupFilters, type GroupFilterQuery } from './group-filters.ts';
import type { GroupTable } from './group-table.ts';
import type { Bitset } from '../structures/bitset.ts';
import { SliceScheduler } from '../structures/slice-scheduler.ts';

/** The filters, the order and the page of a list. */
export interface GroupListQuery extends GroupFilterQuery {
  sort: GroupQuery['sort'];
  order: GroupQuery['order'];
  page: number;
  size: number;
}

/** Up to this number of matches, testing and sorting them is faster than walking through the order of all groups. */
const few = 500;
const forgottenAfterMs = 10 * 60_000;

/**
 * Lists groups: orders the groups that `GroupFilters` finds, and returns pages of them. Orders, filters and the search
 * index are built when they are first used, updated on each use, and dropped after ten minutes without a list. So the
 * cost of a list depends on the changes since the previous one and on the size of its page.
 */
export class GroupList {
  readonly #table: GroupTable;
  readonly #maxSmall: number;
  readonly #orders = new Map<SortKey, GroupOrder>();
  readonly #filters: GroupFilters;
  readonly #scheduler = new SliceScheduler();
  #forgetting: NodeJS.Timeout | null = null;

  /** Projects with up to `maxSmall` groups are read without an index. */
  constructor(table: GroupTable, maxSmall = few) {
    this.#table = table;
    this.#filters = new GroupFilters(table);
    this.#maxSmall = maxSmall;
  }

  /** Resolves with one page of the matching groups of these projects. `owner` is their team: teams take turns. */
  async page(
    projectIds: readonly number[],
    query: GroupListQuery,
    { now, owner }: { now: number; owner: number },
  ): Promise<Page<ErrorGroup>> {
    if (this.#isSmall(projectIds)) {
      const matching = this.#filters.matchesOfFew(projectIds, query);
      this.#prepareSort(query);
      return this.#page(this.#partOfFew(matching, query), query, now);
    }
    this.#forgetLater();
    const findMatches = this.#filters.findMatches(projectIds, query);
    const found: { page?: Page<ErrorGroup> } = {};
    await this.#scheduler.run(owner, (end) => {
      const matching = findMatches(end);
      if (!matching) return false;
      this.#prepareSort(query);
      // Nothing awaits in between, so that all steps see the same groups.
      found.page = this.#page(this.#part(matching, query), query, now);
      return true;
    });
    if (!found.page) throw new Error('A list ended without a page.');
    return found.page;
  }

  /** Updates the values that a list sorts by. */
  #prepareSort({ sort }: GroupListQuery): void {
    if (sort === 'users') this.#table.countMergedUsers();
  }

  #page({ slots, total }: ListPart, { page, size }: GroupListQuery, now: number): Page<ErrorGroup> {
    const items = slots.map((slot) => this.#table.record(slot, now));
    return { items, total, page, size, pages: Math.ceil(total / size) };
  }

  /** Resolves with the tags of the groups of these projects, most frequent first. `owner` is their team. */
  async tagFacets(projectIds: readonly number[], owner: number): Promise<TagFacet[]> {
    this.#forgetLater();
    const index = this.#filters.tagIndex();
    await this.#scheduler.run(owner, (end) => index.updateSlice(end));
    return index.facets(projectIds);
  }

  /**
   * Frees all that was built. Otherwise the timer would keep the groups of a closed store in memory for ten minutes.
   */
  close(): void {
    if (this.#forgetting) clearTimeout(this.#forgetting);
    this.#forget();
  }

  /** Returns whether these projects have so few groups that testing each of them is the fastest way. */
  #isSmall(projectIds: readonly number[]): boolean {
    let size = 0;
    for (const id of projectIds) if ((size += this.#table.sizes.groupsOf(id)) > this.#maxSmall) return false;
    return true;
  }

  /** The slots of a page, in the order of the query. Ties break by id in its direction, so that pages never overlap. */
  #part(matching: Bitset, query: GroupListQuery): ListPart {
    const total = matching.size;
    if (total <= few) return this.#partOfFew(matching.slots(), query);
    const { from, to, inOrder } = rangeOf(query, total);
    return { slots: from < to ? inOrder(this.#walk(matching, query.sort, from, to, total)) : [], total };
  }

  #partOfFew(matching: readonly number[], query: GroupListQuery): ListPart {
    const { from, to, inOrder } = rangeOf(query, matching.length);
    const sorted = matching.toSorted(comparison(this.#table.columns, query.sort));
    return { slots: inOrder(sorted.slice(from, to)), total: matching.length };
  }

  /** Walks through the order of all groups, from the nearer end. */
  #walk(matching: Bitset, sort: SortKey, from: number, to: number, total: number): number[] {
    let known = this.#orders.get(sort);
    if (!known) this.#orders.set(sort, (known = new GroupOrder(this.#table, sort)));
    const order = known.slots();
    if (total === order.length) return [...order.subarray(from, to)];
    const slots: number[] = [];
    if (from < total - to) {
      for (let index = 0, seen = 0; seen < to && index < order.length; index++) {
        const slot = order[index] ?? 0;
        if (matching.has(slot) && seen++ >= from) slots.push(slot);
      }
      return slots;
    }
    for (let index = order.length - 1, seen = total; seen > from && index >= 0; index--) {
      const slot = order[index] ?? 0;
      if (matching.has(slot) && seen-- <= to) slots.push(slot);
    }
    return slots.toReversed();
  }

  #forgetLater(): void {
    if (this.#forgetting) this.#forgetting.refresh();
    else this.#forgetting = setTimeout(() => this.#forget(), forgottenAfterMs).unref();
  }

  #forget(): void {
    this.#orders.clear();
    this.#filters.forget();
    this.#forgetting = null;
  }
}

/** The slots of a page, and the number of all matches. */
interface ListPart {
  slots: number[];
  total: number;
}

/** Returns the positions of a page in the ascending order, which is the only one that is stored. */
function rangeOf(
  { order, page, size }: GroupListQuery,
  total: number,
): { from: number; to: number; inOrder: (slots: number[]) => number[] } {
  const start = Math.min((page - 1) * size, total);
  const end = Math.min(start + size, total);
  return order === 'asc'
    ? { from: start, to: end, inOrder: (slots) => slots }
    : { from: total - end, to: total - start, inOrder: (slots) => slots.toReversed() };
}
