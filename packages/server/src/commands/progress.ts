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

/** Formats a size, such as `12.3 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} kB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(2)} GB`;
}
