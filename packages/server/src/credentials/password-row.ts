import { ProblemError } from '../problem.ts';

interface Place {
  who: string;
  isNew: boolean;
  begin(): Promise<void>;
  refuse(): void;
}

const mostWaiting = 20;
/** Whoever makes passwords by the dozen leaves room for those who have one. */
const mostNewWaiting = 10;

/**
 * Where passwords wait to be hashed. One at a time: a hash takes a thread of the few that also write to the disk, and
 * reports must not wait for sign-ins. Nobody has two turns behind one another while somebody else waits, and whoever has
 * the most places in a row that is full gives one up for who has fewer: nobody fills it alone.
 */
export class PasswordRow {
  readonly #places: Place[] = [];
  #isBusy = false;
  /** Whose turn it was last. */
  #last = '';

  /** Does the work in its turn. Rejects with `overloaded` if there is no place for `who` asks, or none any more. */
  async wait<Result>(who: string, isNew: boolean, work: () => Promise<Result>): Promise<Result> {
    if (isNew) this.#makeRoom(who, mostNewWaiting, (place) => place.isNew);
    this.#makeRoom(who, mostWaiting, () => true);
    return new Promise<Result>((resolve, reject) => {
      const begin = (): Promise<void> => work().then(resolve, reject);
      this.#places.push({ who, isNew, begin, refuse: () => reject(overloaded()) });
      void this.#workOff();
    });
  }

  #makeRoom(who: string, most: number, isCounted: (place: Place) => boolean): void {
    const counted = this.#places.filter(isCounted);
    if (counted.length < most) return;
    const counts = new Map([[who, 0]]);
    for (const place of counted) counts.set(place.who, (counts.get(place.who) ?? 0) + 1);
    const [[largest, count] = ['', 0]] = [...counts].toSorted(([, a], [, b]) => b - a);
    if (count <= (counts.get(who) ?? 0) + 1) throw overloaded();
    const last = counted.findLast((place) => place.who === largest) as Place;
    this.#places.splice(this.#places.indexOf(last), 1);
    last.refuse();
  }

  async #workOff(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let next = this.#takeNext(); next; next = this.#takeNext()) {
      this.#last = next.who;
      await next.begin();
    }
    this.#isBusy = false;
  }

  #takeNext(): Place | undefined {
    const other = this.#places.findIndex(({ who }) => who !== this.#last);
    return this.#places.splice(Math.max(other, 0), 1)[0];
  }
}

function overloaded(): ProblemError {
  return new ProblemError('overloaded', 'Too many people sign in at the moment. Try again later.', {
    retryAfterSeconds: 5,
  });
}
