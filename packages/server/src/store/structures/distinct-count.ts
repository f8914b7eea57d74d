import { maxExactUsers } from './memory-limits.ts';
import type { BytesReader } from '../codec/bytes-reader.ts';
import type { BytesWriter } from '../codec/bytes-writer.ts';

/** 2^12 registers: a standard error of 1.04 / √4096 = 1.6 %. */
const registerBits = 12;
const registerCount = 2 ** registerBits;

/**
 * Counts distinct values: exactly up to 1,000, and beyond that by HyperLogLog (Flajolet and others, 2007), an estimate
 * that takes 4 KiB for any number of values. The order of the values does not matter.
 */
export class DistinctCount {
  /** The first value. Most groups have at most one user, so the Set is created with the second one. */
  #only: string | null = null;
  #values: Set<string> | null = null;
  #registers: Registers | null = null;

  get size(): number {
    if (this.#registers) return this.#registers.estimate();
    return this.#values?.size ?? (this.#only === null ? 0 : 1);
  }

  add(value: string): void {
    if (this.#registers) this.#registers.add(value);
    else if (this.#values) this.#values.add(value);
    else if (this.#only === null) this.#only = value;
    else if (this.#only !== value) this.#values = new Set([this.#only, value]);
    if (this.#values && this.#values.size > maxExactUsers) this.#switchToEstimate(this.#values);
  }

  /** Counts the values of another count as well. The result is the same as if all values had been added here. */
  addAll(other: DistinctCount): void {
    if (!other.#registers) {
      for (const value of other.#exactValues()) this.add(value);
      return;
    }
    if (!this.#registers) this.#switchToEstimate(this.#exactValues());
    this.#registers?.addAll(other.#registers);
  }

  pack(to: BytesWriter): void {
    if (this.#registers) {
      to.uint(maxExactUsers + 1);
      to.raw(this.#registers.ranks);
      return;
    }
    to.uint(this.size);
    if (this.#values) for (const value of this.#values) to.text(value);
    else if (this.#only !== null) to.text(this.#only);
  }

  static unpack(from: BytesReader): DistinctCount {
    const count = new DistinctCount();
    const size = from.uint();
    if (size > maxExactUsers) {
      count.#registers = new Registers(Uint8Array.from(from.raw(registerCount)));
      return count;
    }
    for (let index = 0; index < size; index++) count.add(from.text() ?? '');
    return count;
  }

  #exactValues(): Iterable<string> {
    return this.#values ?? (this.#only === null ? [] : [this.#only]);
  }

  #switchToEstimate(values: Iterable<string>): void {
    this.#registers = new Registers(new Uint8Array(registerCount));
    for (const value of values) this.#registers.add(value);
    this.#only = null;
    this.#values = null;
  }
}

class Registers {
  readonly ranks: Uint8Array;
  /**
   * The sum of 2^-rank over all registers, so that `estimate` needs no loop. Exact, because all terms are powers of
   * two.
   */
  #sum = 0;
  #empty = 0;

  constructor(ranks: Uint8Array) {
    this.ranks = ranks;
    for (const rank of ranks) {
      this.#sum += 2 ** -rank;
      if (rank === 0) this.#empty++;
    }
  }

  /**
   * Adds a value. The first bits of `high` select a register, which stores the longest run of leading zeros in `low`,
   * plus one.
   */
  add(value: string): void {
    hash(value);
    const register = high >>> (32 - registerBits);
    this.#raise(register, Math.clz32(low) + 1);
  }

  addAll({ ranks }: Registers): void {
    for (const [register, rank] of ranks.entries()) this.#raise(register, rank);
  }

  #raise(register: number, rank: number): void {
    const known = this.ranks[register] ?? 0;
    if (rank <= known) return;
    this.ranks[register] = rank;
    this.#sum += 2 ** -rank - 2 ** -known;
    if (known === 0) this.#empty--;
  }

  estimate(): number {
    const raw = ((0.7213 / (1 + 1.079 / registerCount)) * registerCount * registerCount) / this.#sum;
    // For few values, the number of empty registers gives a better estimate.
    const small = this.#empty > 0 ? registerCount * Math.log(registerCount / this.#empty) : raw;
    return Math.round(raw <= 2.5 * registerCount ? small : raw);
  }
}

let high = 0;
let low = 0;

/**
 * Sets `high` and `low` to the hash of a value. The hash is the same in every process, because registers are stored.
 * Mixes each character into two words by multiply and xor, and ends with the finalizer of MurmurHash3 (Appleby).
 */
function hash(value: string): void {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    a = Math.imul(a ^ code, 0x9e3779b1);
    a ^= a >>> 15;
    b = Math.imul(b ^ code, 0x5f356495);
    b ^= b >>> 13;
  }
  high = finish(a ^ value.length);
  low = finish(Math.imul(b, 0x27d4eb2d) ^ a);
}

function finish(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
