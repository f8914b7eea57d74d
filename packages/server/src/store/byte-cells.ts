const pageBytes = 64 * 1024;
const grain = 16;
const grainsOfPage = pageBytes / grain;

/** Sizes of cells in grains: every one up to 32, then an eighth apart, up to a fourth of a page. */
const sizes: readonly number[] = cellSizes();
/** Every cell begins with the length of what it holds. */
const lengthBytes = 3;
const empty = Buffer.alloc(0);
const sizeOf = new Uint8Array(grainsOfPage / 4 + 1);
// Filled rather than searched: at every start, that would be hot enough for Node to optimise it, for 5 MB.
sizes.forEach((size, index) => sizeOf.fill(index, (sizes[index - 1] ?? -1) + 1, size + 1));

/**
 * Pieces of bytes outside the heap of JavaScript, where a hundred thousand of them would cost more than they
 * hold. Cells of one size share pages, so what is freed fits the next one, and most changes stay in their place.
 * A place is a number: 0 is none.
 */
export class ByteCells {
  /** The first page is none, so that no place is 0. */
  readonly #pages: (Buffer | undefined)[] = [undefined];
  readonly #freePages: number[] = [];
  /** Free places by size, and the size of the cells of each page. */
  readonly #free: number[][] = sizes.map(() => []);
  readonly #sizeOfPage: number[] = [-1];

  /** The bytes of a place stand in `page(place)` from `start(place)` to `end(place)`. */
  page(place: number): Buffer {
    return this.#pages[Math.floor(place / grainsOfPage)] ?? empty;
  }

  start(place: number): number {
    return (place % grainsOfPage) * grain + lengthBytes;
  }

  end(place: number): number {
    const page = this.page(place);
    const start = this.start(place);
    return start + (page[start - 3] ?? 0) + (page[start - 2] ?? 0) * 0x100 + (page[start - 1] ?? 0) * 0x10000;
  }

  /** Holds a copy of bytes, in a place of its own or in the one that is given back, with some room to spare. */
  put(bytes: Buffer, start: number, end: number, back: number, spare = 0): number {
    const length = end - start;
    const grains = Math.ceil((length + spare + lengthBytes) / grain);
    const size = grains < sizeOf.length ? (sizeOf[grains] ?? 0) : -1;
    let place = back;
    if (back === 0 || size < 0 || this.#sizeOfPage[Math.floor(back / grainsOfPage)] !== size) {
      if (back !== 0) this.free(back);
      place = size < 0 ? this.#openPage(-1, grains * grain) : this.#take(size);
    }
    this.#setLength(place, length);
    bytes.copy(this.page(place), this.start(place), start, end);
    return place;
  }

  /** Writes other bytes behind the first ones of a place. False if there is no room. */
  writeEnd(place: number, first: number, bytes: Uint8Array, size: number): boolean {
    const grains = sizes[this.#sizeOfPage[Math.floor(place / grainsOfPage)] ?? -1] ?? 0;
    if (lengthBytes + first + size > grains * grain) return false;
    this.#setLength(place, first + size);
    const page = this.page(place);
    const start = this.start(place) + first;
    for (let index = 0; index < size; index++) page[start + index] = bytes[index] ?? 0;
    return true;
  }

  free(place: number): void {
    const page = Math.floor(place / grainsOfPage);
    const size = this.#sizeOfPage[page] ?? -1;
    if (size >= 0) {
      this.#free[size]?.push(place);
      return;
    }
    this.#pages[page] = undefined;
    this.#freePages.push(page);
  }

  #setLength(place: number, length: number): void {
    const page = this.page(place);
    const start = this.start(place);
    page[start - 3] = length & 0xff;
    page[start - 2] = (length >>> 8) & 0xff;
    page[start - 1] = length >>> 16;
  }

  #take(size: number): number {
    const free = this.#free[size] ?? [];
    const known = free.pop();
    if (known !== undefined) return known;
    const first = this.#openPage(size, pageBytes);
    const step = sizes[size] ?? 1;
    const last = first + grainsOfPage - (grainsOfPage % step) - step;
    for (let place = last; place > first; place -= step) free.push(place);
    return first;
  }

  /** Gives a page the first place of which is its own. */
  #openPage(size: number, bytes: number): number {
    const page = this.#freePages.pop() ?? this.#pages.length;
    this.#pages[page] = Buffer.allocUnsafeSlow(bytes);
    this.#sizeOfPage[page] = size;
    return page * grainsOfPage;
  }
}

function cellSizes(): number[] {
  const list: number[] = [];
  let next = 1;
  while (next < grainsOfPage / 4) {
    list.push(next);
    next += Math.max(1, Math.floor(next / 32) * 4);
  }
  return [...list, grainsOfPage / 4];
}
