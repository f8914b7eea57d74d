import type { SeededRandom } from '../../test-utils/seeded-random.mjs';

/** What becomes of one operation of the storage. `halfway`: a part of it has happened. */
export const faults = ['fails', 'fails halfway', 'fails afterwards'] as const;
export const deaths = ['dies before', 'dies halfway', 'dies afterwards'] as const;
export type Fault = (typeof faults)[number] | (typeof deaths)[number];
export type Verdict = Fault | 'well';

/** Says of each operation of the storage what becomes of it: by its number, or by chance. */
export class Weather {
  /** Operations so far, those of quiet moments aside. */
  operations = 0;
  /** How many of them did not go well. */
  troubles = 0;
  /** While somebody looks around, nothing goes wrong. */
  isQuiet = false;
  /** Which part of the operations fails. */
  failing = 0;
  /** The numbers of operations with a fate of their own. */
  readonly fates = new Map<number, Fault>();
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** The sun comes out: all is well from here on. */
  clear(): void {
    this.failing = 0;
    this.fates.clear();
  }

  next(): Verdict {
    if (this.isQuiet) return 'well';
    const fate = this.fates.get(++this.operations);
    const verdict = fate ?? (this.#random.chance(this.failing) ? this.#random.pick(faults) : 'well');
    if (verdict !== 'well') this.troubles++;
    return verdict;
  }
}
