const redrawMs = 200;

/** Shows progress on one line of a terminal. Other outputs get nothing. */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  #shownAt = 0;
  #width = 0;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  show(line: () => string): void {
    const now = Date.now();
    if (!this.#stream.isTTY || now - this.#shownAt < redrawMs) return;
    this.#shownAt = now;
    const text = line();
    this.#stream.write(`\r${text.padEnd(this.#width)}`);
    this.#width = text.length;
  }

  /** Clears the line. */
  end(): void {
    if (this.#width > 0) this.#stream.write(`\r${' '.repeat(this.#width)}\r`);
    this.#width = 0;
  }
}
