import type { Timing } from '../../../packages/server/src/store/log/timing.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';
import type { Weather } from './weather.ts';
import type { World } from './world.ts';

/** One operation of a storage. */
export interface Operation<Result> {
  /** For the trace: `append log/00000001.log 214`. */
  name: string;
  perform: () => Result;
  /** What has happened if it stops in the middle: nothing, where it can't. */
  performHalf?: () => void;
}

/** Blobs are named at random, which must not show in a trace. */
const randomName = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
const slow = { chance: 0.05, ms: 60 };

/** A process of the server as its storage sees it: once it is dead, nothing it has asked for happens, or is answered. */
export class Process {
  isAlive = true;
  /** Called when an operation is the last one of this process. */
  onDeath: () => void = () => undefined;
  /** Called when a blob is first heard of. */
  onBlob: () => void = () => undefined;
  readonly #world: World;
  readonly #weather: Weather;
  readonly #random: SeededRandom;

  constructor(world: World, weather: Weather, random: SeededRandom) {
    this.#world = world;
    this.#weather = weather;
    this.#random = random;
  }

  /** Time as this process feels it. Looking at the clock takes a while, so that work is done in small slices. */
  readonly timing: Timing = {
    now: () => this.#world.time + ++this.#looks,
    sleep: (ms) => new Promise((resolve) => this.#world.after(ms, resolve)),
    every: (ms, work) => {
      let isOver = false;
      const next = (): void => {
        this.#world.after(
          ms,
          () => {
            if (isOver || !this.isAlive) return;
            work();
            next();
          },
          true,
        );
      };
      next();
      return () => void (isOver = true);
    },
  };
  #looks = 0;

  die(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#world.clear();
    this.onDeath();
  }

  /** Runs an operation, as the weather is, a while later. */
  run<Result>(operation: Operation<Result>): Promise<Result> {
    // Who is dead waits for ever.
    if (!this.isAlive) return new Promise(() => undefined);
    if (operation.name.includes('blob')) this.onBlob();
    const verdict = this.#weather.next();
    const number = this.#weather.isQuiet ? '' : `#${this.#weather.operations} `;
    const delayMs = this.#random.next() * (this.#random.chance(slow.chance) ? slow.ms : 4);
    return new Promise((resolve, reject) => {
      this.#world.after(delayMs, () => {
        const name = operation.name.replace(randomName, '…');
        this.#world.note(`${number}${name}${verdict === 'well' ? '' : `: ${verdict}`}`);
        if (verdict === 'fails halfway' || verdict === 'dies halfway') operation.performHalf?.();
        if (verdict.startsWith('dies')) {
          if (verdict === 'dies afterwards') attempt(operation.perform);
          return this.die();
        }
        if (verdict === 'fails' || verdict === 'fails halfway') return reject(failure(this.#random));
        try {
          const result = operation.perform();
          if (verdict === 'well') resolve(result);
          else reject(failure(this.#random));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }
}

/** What can't be done has no effect, and nobody is left to be told. */
function attempt(perform: () => unknown): void {
  try {
    perform();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

function failure(random: SeededRandom): Error {
  return systemError(random.pick(['EIO', 'ENOSPC', 'EMFILE']));
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}
