import { createHash } from 'node:crypto';

const exactUpTo = 1_000;
/** 2^12 registers: a standard error of 1.04 / √4096 = 1.6 %. */
const registerBits = 12;
const registerCount = 2 ** registerBits;

/**
 * How many different values there were: exact up to 1,000, from then on an estimate by HyperLogLog (Flajolet and
 * others, 2007) in 4 KiB, however many come. The same values give the same count in any order.
 */
export class DistinctCount {
  #values: Set<string> | null = null;
  #registers: Uint8Array | null = null;

  get size(): number {
    return this.#registers ? estimate(this.#registers) : (this.#values?.size ?? 0);
  }

  add(value: string): void {
    if (this.#registers) {
      note(this.#registers, value);
      return;
    }
    this.#values ??= new Set();
    this.#values.add(value);
    if (this.#values.size <= exactUpTo) return;
    this.#registers = new Uint8Array(registerCount);
    for (const known of this.#values) note(this.#registers, known);
    this.#values = null;
  }
}

/** The first bits of a hash choose a register, which keeps the longest run of zeros that any of the other bits began with. */
function note(registers: Uint8Array, value: string): void {
  const hash = createHash('sha256').update(value).digest();
  const register = hash.readUInt16BE(0) >> (16 - registerBits);
  const rank = Math.clz32(hash.readUInt32BE(2)) + 1;
  if (rank > (registers[register] ?? 0)) registers[register] = rank;
}

function estimate(registers: Uint8Array): number {
  let sum = 0;
  let empty = 0;
  for (const rank of registers) {
    sum += 2 ** -rank;
    if (rank === 0) empty++;
  }
  const raw = ((0.7213 / (1 + 1.079 / registerCount)) * registerCount * registerCount) / sum;
  // Of few values, the registers that are still empty tell more.
  const small = empty > 0 ? registerCount * Math.log(registerCount / empty) : raw;
  return Math.round(raw <= 2.5 * registerCount ? small : raw);
}
