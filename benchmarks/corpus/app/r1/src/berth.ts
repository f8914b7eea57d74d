export class Berth {
  #cabins: number;
  #owner = '';

  constructor(cabins: number) {
    this.#cabins = cabins;
  }

  get owner(): string {
    return this.#owner;
  }

  static compare(one: Berth, other: Berth): number {
    return one.#cabins - other.#cabins;
  }

  rename(other: Berth, owner: string): void {
    other.#owner = owner.trim();
  }

  sign(other: Berth): void {
    other.#owner = this.#owner;
  }

  #close(): void {
    this.#cabins = 0;
  }

  closeTogether(others: Berth[]): void {
    this.#close();
    for (const other of others) other.#close();
  }

  reserve(count: number): number {
    this.#cabins -= count;
    return this.#cabins;
  }
}
