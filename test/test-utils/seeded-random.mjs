// @ts-check

/**
 * Pseudo-random numbers (mulberry32). One seed yields one sequence, on every machine and in every engine.
 * Seeds that have found a bug are quoted, so the sequence of a seed must never change.
 */
export class SeededRandom {
  /** @type {number} */
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to below 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /**
   * Returns a whole number from 0 to below `limit`.
   *
   * @param {number} limit
   */
  below(limit) {
    return Math.floor(this.next() * limit);
  }

  /**
   * Returns a whole number from `min` to `max`, both included.
   *
   * @param {number} min
   * @param {number} max
   */
  between(min, max) {
    return min + this.below(max - min + 1);
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /**
   * @template Item
   * @param {readonly Item[]} items
   * @returns {Item}
   */
  pick(items) {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  }

  /** @param {number} length */
  bytes(length) {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }

  /** Returns an independent generator: drawing more numbers from one does not change the numbers of the other. */
  fork() {
    return new SeededRandom(this.below(2 ** 32));
  }
}

/** @typedef {(limit: number) => number} RandomBelow returns a whole number from 0 to below `limit` */

/**
 * Returns `SeededRandom.below` as a function, for code that needs nothing else.
 *
 * @param {number} seed
 * @returns {RandomBelow}
 */
export function randomBelow(seed) {
  const random = new SeededRandom(seed);
  return (limit) => random.below(limit);
}

/**
 * Returns `SeededRandom.next` as a function.
 *
 * @param {number} seed
 */
export function randomFraction(seed) {
  const random = new SeededRandom(seed);
  return () => random.next();
}
