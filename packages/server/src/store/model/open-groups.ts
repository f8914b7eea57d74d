import type { GroupState } from './group-state.ts';

interface OpenGroup {
  slot: number;
  group: GroupState;
  /** True if it differs from its packed form. */
  isChanged: boolean;
  /** True if it was used since the hand of the circle passed it. */
  isUsed: boolean;
  /** Its index in the circle. */
  circleIndex: number;
}

/** Functions that read an open group from its packed form, and write it back. */
interface PackedForm {
  unpack(slot: number): GroupState;
  pack(slot: number, group: GroupState): void;
}

/**
 * The groups that stay open as a GroupState, because they change often. They form a circle. A hand moves around it
 * to close one that was not used (the clock algorithm). A closed group is packed first if it has changed.
 */
export class OpenGroups {
  readonly capacity: number;
  readonly #packed: PackedForm;
  readonly #bySlot = new Map<number, OpenGroup>();
  readonly #circle: (OpenGroup | undefined)[] = [];
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

  /** Returns a group, and opens it before if necessary. */
  open(slot: number): GroupState {
    const known = this.#bySlot.get(slot);
    if (known) {
      known.isUsed = true;
      return known.group;
    }
    const group = this.#packed.unpack(slot);
    const circleIndex = this.#freeCircleIndex();
    const open: OpenGroup = { slot, group, isChanged: false, isUsed: true, circleIndex };
    this.#circle[circleIndex] = open;
    this.#bySlot.set(slot, open);
    return group;
  }

  /** Marks an open group that differs from its packed form. Returns false if the group is not open. */
  markChanged(slot: number): boolean {
    const open = this.#bySlot.get(slot);
    if (open) open.isChanged = true;
    return open !== undefined;
  }

  /** Packs a group if it is open and has changed. It stays open. */
  packIfChanged(slot: number): void {
    const open = this.#bySlot.get(slot);
    if (open) this.#packIfChanged(open);
  }

  /** Removes a group without packing it. */
  remove(slot: number): void {
    const open = this.#bySlot.get(slot);
    if (open) this.#circle[open.circleIndex] = undefined;
    this.#bySlot.delete(slot);
  }

  /** Returns the next index of the circle that is free. Closes the group at that index if it was not used recently. */
  #freeCircleIndex(): number {
    for (;;) {
      const circleIndex = this.#hand;
      const open = this.#circle[circleIndex];
      this.#hand = (circleIndex + 1) % this.capacity;
      if (!open) return circleIndex;
      if (!open.isUsed) {
        this.#packIfChanged(open);
        this.#bySlot.delete(open.slot);
        return circleIndex;
      }
      open.isUsed = false;
    }
  }

  #packIfChanged(open: OpenGroup): void {
    if (open.isChanged) this.#packed.pack(open.slot, open.group);
    open.isChanged = false;
  }
}
