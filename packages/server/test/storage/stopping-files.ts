import { machineFiles, type Files, type OpenFile } from '../../src/storage/file/files.ts';

type When = 'before' | 'in the middle of' | 'right after';

/**
 * The files of the machine until a chosen change. From that change on all calls except `close` fail, as if the process
 * had been killed.
 */
export class StoppingFiles implements Files {
  isStopped = false;
  readonly #when: When;
  #changesLeft = Infinity;

  constructor(when: When) {
    this.#when = when;
  }

  /** Stops at a change, counted from now. The next change is 1. */
  stopAt(change: number): void {
    this.#changesLeft = change;
  }

  async open(path: string, flags: 'r' | 'w'): Promise<OpenFile> {
    const file =
      flags === 'r'
        ? await this.#unlessStopped(() => machineFiles.open(path, flags))
        : await this.#change(
            () => machineFiles.open(path, flags),
            undefined,
            (opened) => opened.close(),
          );
    return {
      read: (buffer, offset, length, position) =>
        this.#unlessStopped(() => file.read(buffer, offset, length, position)),
      append: (bytes) => {
        const whole = bytes instanceof Uint8Array ? Buffer.from(bytes) : Buffer.concat(bytes);
        return this.#change(
          () => file.append(whole),
          () => file.append(whole.subarray(0, whole.length / 2)),
        );
      },
      datasync: () => this.#change(() => file.datasync()),
      size: () => this.#unlessStopped(() => file.size()),
      close: () => file.close(),
    };
  }

  readdir(path: string): Promise<string[]> {
    return this.#unlessStopped(() => machineFiles.readdir(path));
  }

  remove(path: string): Promise<void> {
    return this.#change(() => machineFiles.remove(path));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#change(() => machineFiles.rename(from, to));
  }

  syncFolder(path: string): Promise<void> {
    return this.#change(() => machineFiles.syncFolder(path));
  }

  async #unlessStopped<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isStopped) throw new Error('stopped');
    return work();
  }

  async #change<Result>(
    work: () => Promise<Result>,
    half?: () => Promise<Result>,
    release?: (result: Result) => Promise<void>,
  ): Promise<Result> {
    if (this.isStopped) throw new Error('stopped');
    if (--this.#changesLeft > 0) return work();
    this.isStopped = true;
    if (this.#when === 'right after') await work().then(release);
    else if (this.#when === 'in the middle of') await half?.();
    throw new Error('stopped');
  }
}
