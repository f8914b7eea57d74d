import type { GroupState } from './group-state.ts';

interface CachedGroup {
  slot: number;
  group: GroupState;
  /** True if it differs from its packed form. */
  isDirty: boolean;
  /** True if it was used since the hand of the circle passed it. */
  isUsed: boolean;
  /** Its index in the circle. */
  circleIndex: number;
}

/** Functions that read a group from its packed form, and write it back. */
interface PackedForm {
  unpack(slot: number): GroupState;
  pack(slot: number, group: GroupState): void;
}

/**
 * A write-back cache of unpacked groups that change often. They form a circle. A hand moves around it to evict one that
 * was not used (the clock algorithm). An evicted group is packed first if it has changed.
 */
export class GroupStateCache {
  readonly capacity: number;
  readonly #packed: PackedForm;
  readonly #bySlot = new Map<number, CachedGroup>();
  readonly #circle: (CachedGroup | undefined)[] = [];
  #hand = 0;

  constructor(capacity: number, packed: PackedForm) {
    this.capacity = capacity;
    this.#packed = packed;
  }

  has(slot: number): boolean {
    return this.#bySlot.has(slot);
  }

  get(slot: number): GroupState | undefined {
    return this.#bySlot.get(slot)?.group;
  }

  /** Returns a group, and unpacks it before if necessary. */
  load(slot: number): GroupState {
    const known = this.#bySlot.get(slot);
    if (known) {
      known.isUsed = true;
      return known.group;
    }
    const group = this.#packed.unpack(slot);
    const circleIndex = this.#freeCircleIndex();
    const cached: CachedGroup = { slot, group, isDirty: false, isUsed: true, circleIndex };
    this.#circle[circleIndex] = cached;
    this.#bySlot.set(slot, cached);
    return group;
  }

  /** Marks a cached group that differs from its packed form. Returns false if the group is not cached. */
  markDirty(slot: number): boolean {
    const cached = this.#bySlot.get(slot);
    if (cached) cached.isDirty = true;
    return cached !== undefined;
  }

  /** Packs a group if it is cached and has changed. It stays cached. */
  writeBack(slot: number): void {
    const cached = this.#bySlot.get(slot);
    if (cached) this.#writeBack(cached);
  }

  /** Removes a group without packing it. */
  remove(slot: number): void {
    const cached = this.#bySlot.get(slot);
    if (cached) this.#circle[cached.circleIndex] = undefined;
    this.#bySlot.delete(slot);
  }

  /** Returns the next index of the circle that is free. Evicts the group at that index if it was not used recently. */
  #freeCircleIndex(): number {
    for (;;) {
      const circleIndex = this.#hand;
      const cached = this.#circle[circleIndex];
      this.#hand = (circleIndex + 1) % this.capacity;
      if (!cached) return circleIndex;
      if (!cached.isUsed) {
        this.#writeBack(cached);
        this.#bySlot.delete(cached.slot);
        return circleIndex;
      }
      cached.isUsed = false;
    }
  }

  #writeBack(cached: CachedGroup): void {
    if (cached.isDirty) this.#packed.pack(cached.slot, cached.group);
    cached.isDirty = false;
  }
}
