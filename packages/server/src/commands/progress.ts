const betweenMs = 200;

/** How far something is, on one line of a terminal; nowhere else. */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  #toldAt = 0;
  #width = 0;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  tell(line: () => string): void {
    const now = Date.now();
    if (!this.#stream.isTTY || now - this.#toldAt < betweenMs) return;
    this.#toldAt = now;
    const text = line();
    this.#stream.write(`\r${text.padEnd(this.#width)}`);
    this.#width = text.length;
  }

  /** Leaves the line to what comes next. */
  end(): void {
    if (this.#width > 0) this.#stream.write(`\r${' '.repeat(this.#width)}\r`);
    this.#width = 0;
  }
}

/** `12.3 MB`. */
export function inWords(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} kB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(2)} GB`;
}
