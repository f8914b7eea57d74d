import { twoTo32 } from '../codec/hex-words.ts';

const digitBits = 11;
const digitMask = 2 ** digitBits - 1;

type Column = Float64Array | Uint32Array;

/**
 * Sorts slots by a column of integers, ascending and stable. A radix sort: 100,000 slots take a few milliseconds, a
 * tenth of the time of a comparison sort.
 */
export function sortSlots(slots: Int32Array, column: Column): Int32Array {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const slot of slots) {
    const value = column[slot] ?? 0;
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  let from = slots;
  let to: Int32Array = new Int32Array(slots.length);
  const digits = new Uint16Array(column.length);
  for (let shift = 0; highest - lowest >= 2 ** shift; shift += digitBits) {
    for (const slot of from) digits[slot] = digitOf((column[slot] ?? 0) - lowest, shift);
    scatter(from, to, digits);
    [from, to] = [to, from === slots ? new Int32Array(slots.length) : from];
  }
  return from;
}

function digitOf(value: number, shift: number): number {
  if (value < twoTo32 && shift < 32) return (value >>> shift) & digitMask;
  return Math.floor(value / 2 ** shift) & digitMask;
}

function scatter(from: Int32Array, to: Int32Array, digits: Uint16Array): void {
  const next = new Int32Array(digitMask + 2);
  for (const slot of from) {
    const behind = (digits[slot] ?? 0) + 1;
    next[behind] = (next[behind] ?? 0) + 1;
  }
  for (let digit = 1; digit <= digitMask; digit++) next[digit] = (next[digit] ?? 0) + (next[digit - 1] ?? 0);
  for (const slot of from) {
    const digit = digits[slot] ?? 0;
    const index = next[digit] ?? 0;
    to[index] = slot;
    next[digit] = index + 1;
  }
}
