/** A set of slots with one bit for each. */
export class Bitset {
  words: Uint32Array;

  /** Reserves room for slots below `length`. Grows automatically. */
  constructor(length: number) {
    this.words = new Uint32Array((length >>> 5) + 1);
  }

  has(slot: number): boolean {
    return (((this.words[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1;
  }

  set(slot: number, isIn: boolean): void {
    const word = slot >>> 5;
    if (word >= this.words.length) {
      const words = new Uint32Array(Math.ceil((word * 3) / 2) + 1);
      words.set(this.words);
      this.words = words;
    }
    const bit = 1 << (slot & 31);
    this.words[word] = isIn ? (this.words[word] ?? 0) | bit : (this.words[word] ?? 0) & ~bit;
  }

  get size(): number {
    let size = 0;
    for (const word of this.words) {
      if (word !== 0) size += bitsOf(word);
    }
    return size;
  }

  /** Returns the slots in ascending order. */
  slots(): number[] {
    const slots: number[] = [];
    for (let index = 0; index < this.words.length; index++) {
      for (let rest = this.words[index] ?? 0; rest !== 0; rest &= rest - 1) {
        slots.push(index * 32 + 31 - Math.clz32(rest & -rest));
      }
    }
    return slots;
  }

  /** Returns the intersection of the sets. At least one is required. */
  static inAll(sets: readonly Bitset[]): Bitset {
    const [first, ...others] = sets;
    if (!first || others.length === 0) return first ?? new Bitset(0);
    const common = new Bitset(0);
    common.words = first.words.slice();
    for (const { words } of others) {
      for (let index = 0; index < common.words.length; index++) {
        common.words[index] = (common.words[index] ?? 0) & (words[index] ?? 0);
      }
    }
    return common;
  }
}

function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
