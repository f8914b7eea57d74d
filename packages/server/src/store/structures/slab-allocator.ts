const pageBytes = 64 * 1024;
const grain = 16;
const grainsOfPage = pageBytes / grain;

/** Sizes of cells in grains: every size up to 32, then in steps of an eighth, up to a fourth of a page. */
const sizes: readonly number[] = cellSizes();
/**
 * A used cell begins with the length of its content and its owner. A free cell begins with `freeLength` and the number
 * of the next free cell.
 */
const lengthBytes = 3;
const cellHeaderBytes = 7;
const freeLength = 0xffffff;
const noCell = 0xffff;
const empty = Buffer.alloc(0);
const sizeOf = new Uint8Array(grainsOfPage / 4 + 1);
// A table instead of a search: Node would optimize the search at every start, which takes 5 MB.
sizes.forEach((size, index) => sizeOf.fill(index, (sizes[index - 1] ?? -1) + 1, size + 1));

/**
 * Stores pieces of bytes outside the JavaScript heap, where the overhead of 100,000 pieces would exceed their content.
 * Cells of one size share pages, so a freed cell fits the next piece and most pieces can change in place. If many cells
 * of a size are free, whole pages are emptied and freed. An address is a number that identifies a cell; 0 is no cell.
 */
export class SlabAllocator {
  /** The first page is never allocated, so that no cell has the address 0. */
  readonly #pages: (Buffer | undefined)[] = [undefined];
  readonly #freePages: number[] = [];
  /** For each page: the size of its cells, its first free cell (-1 if no cell is free) and its number of free cells. */
  readonly #sizeOfPage: number[] = [-1];
  readonly #firstFree: number[] = [-1];
  /**
   * For each page: its first cell that was never used. All later cells are unused too: they are free, but in no list.
   */
  readonly #firstFresh: number[] = [grainsOfPage];
  readonly #freeOfPage: number[] = [0];
  /** For each size: pages that may have free cells, the number of cells and the number of free cells. */
  readonly #roomyPages: number[][] = sizes.map(() => []);
  readonly #cells: number[] = sizes.map(() => 0);
  readonly #free: number[] = sizes.map(() => 0);
  #sizeBytes = 0;
  readonly #onMove: (owner: number, address: number) => void;

  /** `onMove` is called with the owner and the new address of each piece that is moved. */
  constructor(onMove: (owner: number, address: number) => void) {
    this.#onMove = onMove;
  }

  /** Total size of all pages. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * The content of a cell is in `page(address)` from `start(address)` to `end(address)`, until another piece changes.
   */
  page(address: number): Buffer {
    return this.#pages[Math.floor(address / grainsOfPage)] ?? empty;
  }

  start(address: number): number {
    return (address % grainsOfPage) * grain + cellHeaderBytes;
  }

  end(address: number): number {
    const page = this.page(address);
    const at = (address % grainsOfPage) * grain;
    return at + cellHeaderBytes + (page[at] ?? 0) + (page[at + 1] ?? 0) * 0x100 + (page[at + 2] ?? 0) * 0x10000;
  }

  /**
   * Stores a copy of the bytes for an owner and returns its address. The cell has `spare` bytes of room to grow.
   * `previous` is the address of the owner's cell, or 0. That cell is reused if it fits, otherwise freed. The piece
   * must be smaller than 16 MB.
   */
  put(owner: number, bytes: Buffer, start: number, end: number, previous: number, spare = 0): number {
    const length = end - start;
    const grains = Math.ceil((length + spare + cellHeaderBytes) / grain);
    const size = grains < sizeOf.length ? (sizeOf[grains] ?? 0) : -1;
    let address = previous;
    if (previous === 0 || size < 0 || this.#sizeOfPage[Math.floor(previous / grainsOfPage)] !== size) {
      if (previous !== 0) this.free(previous);
      address = size < 0 ? this.#openPage(-1, grains * grain) * grainsOfPage : this.#take(size);
    }
    const page = this.page(address);
    const at = (address % grainsOfPage) * grain;
    setLength(page, at, length);
    page.writeUInt32LE(owner, at + lengthBytes);
    bytes.copy(page, at + cellHeaderBytes, start, end);
    return address;
  }

  /** Replaces the content after the first `first` bytes of a cell. Returns false if there is no room. */
  writeEnd(address: number, first: number, bytes: Uint8Array, size: number): boolean {
    const grains = sizes[this.#sizeOfPage[Math.floor(address / grainsOfPage)] ?? -1] ?? 0;
    if (cellHeaderBytes + first + size > grains * grain) return false;
    const page = this.page(address);
    setLength(page, (address % grainsOfPage) * grain, first + size);
    const start = this.start(address) + first;
    for (let index = 0; index < size; index++) page[start + index] = bytes[index] ?? 0;
    return true;
  }

  free(address: number): void {
    const page = Math.floor(address / grainsOfPage);
    const size = this.#sizeOfPage[page] ?? -1;
    if (size < 0) {
      this.#closePage(page);
      return;
    }
    this.#addFree(page, address % grainsOfPage);
    const cellsOfPage = Math.floor(grainsOfPage / (sizes[size] ?? 1));
    if ((this.#free[size] ?? 0) > Math.max(2 * cellsOfPage, (this.#cells[size] ?? 0) / 4)) this.#empty(page, size);
  }

  /** Moves the pieces of a page to other pages of its size, which have enough room, and frees the page. */
  #empty(number: number, size: number): void {
    const page = this.#pages[number] ?? empty;
    const step = sizes[size] ?? 1;
    const end = this.#firstFresh[number] ?? 0;
    this.#firstFree[number] = -1;
    this.#firstFresh[number] = grainsOfPage;
    for (let cell = 0; cell < end; cell += step) {
      const at = cell * grain;
      if (isFree(page, at)) continue;
      const address = this.#take(size);
      const to = (address % grainsOfPage) * grain;
      page.copy(this.page(address), to, at, at + step * grain);
      this.#onMove(page.readUInt32LE(at + lengthBytes), address);
    }
    const cells = Math.floor(grainsOfPage / step);
    this.#cells[size] = (this.#cells[size] ?? 0) - cells;
    this.#free[size] = (this.#free[size] ?? 0) - (this.#freeOfPage[number] ?? 0);
    this.#closePage(number);
  }

  #take(size: number): number {
    const roomy = this.#roomyPages[size] ?? [];
    for (let number = roomy.at(-1); number !== undefined; number = roomy.at(-1)) {
      const cell = this.#sizeOfPage[number] === size ? this.#takeOf(number, size) : -1;
      if (cell >= 0) {
        this.#freeOfPage[number] = (this.#freeOfPage[number] ?? 0) - 1;
        this.#free[size] = (this.#free[size] ?? 0) - 1;
        return number * grainsOfPage + cell;
      }
      roomy.pop();
    }
    const number = this.#openPage(size, pageBytes);
    const cells = Math.floor(grainsOfPage / (sizes[size] ?? 1));
    this.#firstFresh[number] = 0;
    this.#freeOfPage[number] = cells;
    this.#free[size] = (this.#free[size] ?? 0) + cells;
    this.#cells[size] = (this.#cells[size] ?? 0) + cells;
    roomy.push(number);
    return this.#take(size);
  }

  /** Takes a free cell of a page. Returns -1 if no cell is free. */
  #takeOf(number: number, size: number): number {
    const cell = this.#firstFree[number] ?? -1;
    if (cell >= 0) {
      const next = this.page(number * grainsOfPage).readUInt16LE(cell * grain + lengthBytes);
      this.#firstFree[number] = next === noCell ? -1 : next;
      return cell;
    }
    const fresh = this.#firstFresh[number] ?? grainsOfPage;
    const end = fresh + (sizes[size] ?? 1);
    if (end > grainsOfPage) return -1;
    this.#firstFresh[number] = end;
    return fresh;
  }

  #addFree(number: number, cell: number): void {
    const page = this.#pages[number] ?? empty;
    const size = this.#sizeOfPage[number] ?? -1;
    const next = this.#firstFree[number] ?? -1;
    // A page with an unused cell is still in the list of roomy pages.
    const hasFresh = (this.#firstFresh[number] ?? grainsOfPage) + (sizes[size] ?? 1) <= grainsOfPage;
    if (next < 0 && !hasFresh) this.#roomyPages[size]?.push(number);
    setLength(page, cell * grain, freeLength);
    page.writeUInt16LE(next < 0 ? noCell : next, cell * grain + lengthBytes);
    this.#firstFree[number] = cell;
    this.#freeOfPage[number] = (this.#freeOfPage[number] ?? 0) + 1;
    this.#free[size] = (this.#free[size] ?? 0) + 1;
  }

  #openPage(size: number, bytes: number): number {
    const number = this.#freePages.pop() ?? this.#pages.length;
    this.#pages[number] = Buffer.allocUnsafeSlow(bytes);
    this.#sizeBytes += bytes;
    this.#sizeOfPage[number] = size;
    this.#firstFree[number] = -1;
    this.#firstFresh[number] = grainsOfPage;
    this.#freeOfPage[number] = 0;
    return number;
  }

  #closePage(number: number): void {
    this.#sizeBytes -= this.#pages[number]?.length ?? 0;
    this.#pages[number] = undefined;
    this.#sizeOfPage[number] = -1;
    this.#freePages.push(number);
  }
}

function setLength(page: Buffer, at: number, length: number): void {
  page[at] = length & 0xff;
  page[at + 1] = (length >>> 8) & 0xff;
  page[at + 2] = length >>> 16;
}

function isFree(page: Buffer, at: number): boolean {
  return page[at] === 0xff && page[at + 1] === 0xff && page[at + 2] === 0xff;
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
