import { limits, type TagFacet } from '@service/protocol';
import { highestRanked } from '../structures/highest-ranked.ts';
import type { GroupTable } from './group-table.ts';
import { SlicedUpdate } from './sliced-update.ts';

interface IndexedTag {
  id: number;
  name: string;
  value: string;
  /** Number of groups that have it. */
  groups: number;
}

/**
 * The custom tags of all groups, each as a number. Built and updated on use: by lists that are filtered by a tag, and
 * by facets.
 */
export class TagIndex {
  readonly #table: GroupTable;
  readonly #updates: SlicedUpdate;
  /** By filter: `NAME:VALUE`. */
  readonly #byFilter = new Map<string, IndexedTag>();
  readonly #byId: (IndexedTag | undefined)[] = [];
  readonly #freeIds: number[] = [];
  /** The tags of each slot. */
  readonly #idsOf: (readonly number[] | undefined)[] = [];

  constructor(table: GroupTable) {
    this.#table = table;
    this.#updates = new SlicedUpdate(table, (slot) => this.#update(slot));
  }

  /** See `SlicedUpdate.runSlice`. */
  updateSlice(end: number): boolean {
    return this.#updates.runSlice(end);
  }

  /** Returns whether the group of a slot has a tag. */
  has(slot: number, filter: string): boolean {
    const tag = this.#byFilter.get(filter);
    return tag !== undefined && this.#idsOf[slot]?.includes(tag.id) === true;
  }

  /** Returns the most frequent tags of the groups of these projects, each with its most frequent values. */
  facets(projectIds: readonly number[]): TagFacet[] {
    const groups = this.#groupsByTag(new Set(projectIds));
    const byName = new Map<string, { name: string; groups: number; tags: IndexedTag[] }>();
    for (const tag of this.#byId) {
      const count = (tag && groups[tag.id]) ?? 0;
      if (!tag || count === 0) continue;
      const facet = byName.get(tag.name) ?? { name: tag.name, groups: 0, tags: [] };
      facet.groups += count;
      facet.tags.push(tag);
      byName.set(tag.name, facet);
    }
    return highestRanked(byName.values(), limits.facetTags, (facet) => facet.groups).map(({ name, tags }) => ({
      name,
      values: highestRanked(tags, limits.facetTagValues, ({ id }) => groups[id] ?? 0).map(({ value }) => value),
    }));
  }

  /** Returns how many groups of these projects have each tag, by id. */
  #groupsByTag(projectIds: ReadonlySet<number>): Uint32Array {
    const { projects } = this.#table.columns;
    const groups = new Uint32Array(this.#byId.length);
    for (let slot = 0; slot < this.#idsOf.length; slot++) {
      const ids = this.#idsOf[slot];
      if (!ids || !projectIds.has(projects[slot] ?? 0)) continue;
      for (const id of ids) groups[id] = (groups[id] ?? 0) + 1;
    }
    return groups;
  }

  #update(slot: number): void {
    const before = this.#idsOf[slot];
    const { ids: groupIds, merged } = this.#table.columns;
    const isShown = groupIds[slot] !== 0 && merged[slot] === 0;
    const ids = isShown ? Array.from(this.#table.shownTags(slot).entries(), (tag) => this.#add(tag)) : [];
    this.#idsOf[slot] = ids.length > 0 ? ids : undefined;
    for (const id of before ?? []) this.#remove(id);
  }

  #add({ name, value }: Pick<IndexedTag, 'name' | 'value'>): number {
    const filter = `${name}:${value}`;
    let tag = this.#byFilter.get(filter);
    if (!tag) {
      tag = { id: this.#freeIds.pop() ?? this.#byId.length, name, value, groups: 0 };
      this.#byId[tag.id] = tag;
      this.#byFilter.set(filter, tag);
    }
    tag.groups++;
    return tag.id;
  }

  #remove(id: number): void {
    const tag = this.#byId[id];
    if (!tag || --tag.groups > 0) return;
    this.#byFilter.delete(`${tag.name}:${tag.value}`);
    this.#byId[id] = undefined;
    this.#freeIds.push(id);
  }
}
