/** Nothing but known keys is written to a layout. */
export function guardLayout(layout: Record<string, number>): Record<string, number> {
  return new Proxy(layout, {
    set(target, key, value) {
      if (!(key in target)) return false;
      target[key as string] = value as number;
      return true;
    },
  });
}

export function placeCars(layout: Record<string, number>, lane: string, cars: number): void {
  layout[lane] = cars;
}

export class Deck {
  #cabins: number;

  constructor(cabins: number) {
    this.#cabins = cabins;
  }

  static compare(one: Deck, other: Deck): number {
    if (one === other) return 0;
    return Math.sign(one.#cabins - other.#cabins);
  }
}
