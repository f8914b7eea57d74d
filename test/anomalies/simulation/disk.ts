import type { Files, OpenFile } from '../../../packages/server/src/storage/file/files.ts';
import { systemError, type Process } from './process.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';

/**
 * The bytes of one write. They are durable after a sync and cached before. After a failed sync Linux marks them as
 * clean although the disk may not have them: readers see them until the power fails, and no later sync writes them.
 */
interface Piece {
  bytes: Buffer;
  state: 'durable' | 'cached' | 'lost';
}

interface File {
  pieces: Piece[];
  /** All pieces together. Null until they are read. */
  content: Buffer | null;
}

type Change =
  | { kind: 'make'; path: string; file: File }
  | { kind: 'remove'; path: string }
  | { kind: 'rename'; from: string; to: string };

/** A simulated disk with its file system. It tracks what would survive a power failure. */
export class Disk {
  #names = new Map<string, File>();
  #durableNames = new Map<string, File>();
  /** Directory changes that are not durable yet, oldest first. */
  #changes: Change[] = [];

  /** Returns the file system for one process. */
  files(process: Process, random: SeededRandom): Files {
    return {
      open: (path, flags) =>
        process.run({
          name: `open ${flags} ${path}`,
          perform: () => this.#opened(this.#open(path, flags), path, process, random),
        }),
      readdir: (path) => process.run({ name: `readdir ${path}`, perform: () => this.#list(path) }),
      remove: (path) => process.run({ name: `remove ${path}`, perform: () => this.#change({ kind: 'remove', path }) }),
      rename: (from, to) =>
        process.run({ name: `rename ${from} ${to}`, perform: () => this.#change({ kind: 'rename', from, to }) }),
      syncFolder: (path) =>
        process.run({ name: `syncFolder ${path}`, perform: () => this.#syncNames(this.#changes.length) }),
    };
  }

  /**
   * Keeps all synced bytes. Each file keeps none, all or a part of its other bytes, or gets different ones. Directory
   * changes survive up to some point: journaling file systems, which all common ones are, keep their order.
   */
  losePower(random: SeededRandom): void {
    this.#syncNames(random.pick([0, this.#changes.length, random.below(this.#changes.length + 1)]));
    this.#changes = [];
    this.#names = new Map(this.#durableNames);
    for (const file of new Set(this.#names.values())) losePieces(file, random);
  }

  clone(): Disk {
    const copy = new Disk();
    for (const [path, { pieces }] of this.#names) {
      const file: File = { pieces: pieces.map((piece) => ({ ...piece })), content: null };
      copy.#names.set(path, file);
      copy.#durableNames.set(path, file);
    }
    return copy;
  }

  #open(path: string, flags: 'r' | 'w'): File {
    const known = this.#names.get(path);
    if (flags === 'r') {
      if (!known) throw systemError('ENOENT');
      return known;
    }
    if (known) setPieces(known, []);
    else this.#change({ kind: 'make', path, file: { pieces: [], content: null } });
    return this.#names.get(path) as File;
  }

  #opened(file: File, path: string, process: Process, random: SeededRandom): OpenFile {
    return {
      read: (buffer, offset, length, position) =>
        process.run({
          name: `read ${path} ${position}+${length}`,
          perform: () => contentOf(file).copy(buffer, offset, position, position + length),
        }),
      append: (given) => {
        const bytes = given instanceof Uint8Array ? Buffer.from(given) : Buffer.concat(given);
        const write = (part: Buffer): void => setPieces(file, [...file.pieces, { bytes: part, state: 'cached' }]);
        return process.run({
          name: `append ${path} ${bytes.length}`,
          perform: () => write(bytes),
          performHalf: () => write(bytes.subarray(0, random.below(bytes.length))),
        });
      },
      datasync: () =>
        process.run({
          name: `datasync ${path}`,
          perform: () => {
            for (const piece of file.pieces) if (piece.state === 'cached') piece.state = 'durable';
          },
          performHalf: () => {
            for (const piece of file.pieces)
              if (piece.state === 'cached') piece.state = random.chance(0.5) ? 'lost' : 'durable';
          },
        }),
      size: () => process.run({ name: `size ${path}`, perform: () => contentOf(file).length }),
      close: () => process.run({ name: `close ${path}`, perform: () => undefined }),
    };
  }

  #list(folder: string): string[] {
    return [...this.#names.keys()]
      .filter((path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/'))
      .map((path) => path.slice(folder.length + 1));
  }

  #change(change: Change): void {
    apply(change, this.#names);
    this.#changes.push(change);
  }

  #syncNames(count: number): void {
    for (const change of this.#changes.splice(0, count)) apply(change, this.#durableNames);
  }
}

function apply(change: Change, names: Map<string, File>): void {
  if (change.kind === 'make') return void names.set(change.path, change.file);
  if (change.kind === 'remove') return void names.delete(change.path);
  const file = names.get(change.from);
  if (!file) throw systemError('ENOENT');
  names.delete(change.from);
  names.set(change.to, file);
}

function contentOf(file: File): Buffer {
  file.content ??= Buffer.concat(file.pieces.map(({ bytes }) => bytes));
  return file.content;
}

function setPieces(file: File, pieces: Piece[]): void {
  file.pieces = pieces;
  file.content = null;
}

function losePieces(file: File, random: SeededRandom): void {
  const lastSafe = file.pieces.findLastIndex(({ state }) => state === 'durable');
  const safe = file.pieces.slice(0, lastSafe + 1).map(({ bytes, state }) =>
    // A hole before durable bytes is read as zeros.
    state === 'durable' ? bytes : Buffer.alloc(bytes.length),
  );
  const idle = Buffer.concat(file.pieces.slice(lastSafe + 1).map(({ bytes }) => bytes));
  const isOneLost = file.pieces.slice(lastSafe + 1).some(({ state }) => state === 'lost');
  const stored = Buffer.concat([...safe, isOneLost ? Buffer.alloc(0) : leftOf(idle, random)]);
  setPieces(file, stored.length > 0 ? [{ bytes: stored, state: 'durable' }] : []);
}

function leftOf(bytes: Buffer, random: SeededRandom): Buffer {
  const part = bytes.subarray(0, random.below(bytes.length + 1));
  const missing = bytes.length - part.length;
  return random.pick([
    () => Buffer.alloc(0),
    () => bytes,
    () => part,
    () => Buffer.concat([part, Buffer.alloc(missing)]),
    () => Buffer.concat([part, random.bytes(missing)]),
  ])();
}
