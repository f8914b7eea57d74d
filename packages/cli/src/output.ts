const colors = { green: 32, red: 31, yellow: 33, dim: 2, bold: 1 } as const;

/** Where a command writes: results to standard output, everything else to standard error. */
export class Output {
  /** True if results are printed as JSON instead of text. */
  readonly isJson: boolean;
  readonly #isColored: boolean;
  readonly #hasBars: boolean;
  #bar = '';
  #hasResult = false;
  #unfinished: object = {};

  constructor(isJson: boolean, env: NodeJS.ProcessEnv) {
    this.isJson = isJson;
    this.#isColored = process.stdout.isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
    this.#hasBars = process.stderr.isTTY && !isJson && env.TERM !== 'dumb';
  }

  /** Prints a line of text. With `--json` it prints nothing. */
  line(text = ''): void {
    if (this.isJson) return;
    this.#clearBar();
    process.stdout.write(`${text}\n`);
  }

  /** Prints the result of a command as JSON. Without `--json` it prints nothing. */
  json(value: unknown): void {
    if (!this.isJson) return;
    this.#hasResult = true;
    process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** Sets the fields that the JSON of an error has too: what a command found before it failed. */
  unfinished(fields: object): void {
    this.#unfinished = fields;
  }

  /** Prints an error. With `--json` also prints it as JSON, unless a result with the details was printed. */
  error(code: string, message: string): void {
    if (!this.#hasResult) this.json({ ...this.#unfinished, error: { code, message } });
    this.note(`service: ${message}`);
  }

  /** Prints a line that is no result. */
  note(text: string): void {
    this.#clearBar();
    process.stderr.write(`${text}\n`);
  }

  /** Shows progress on a terminal. */
  progress(done: number, total: number): void {
    if (!this.#hasBars) return;
    const width = 30;
    const filled = Math.round((width * done) / Math.max(1, total));
    this.#clearBar();
    if (done === total) return;
    this.#bar = `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total}`;
    process.stderr.write(this.#bar);
  }

  paint(color: keyof typeof colors, text: string): string {
    return this.#isColored ? `\u001B[${colors[color]}m${text}\u001B[0m` : text;
  }

  /** Prints rows with aligned columns. */
  table(rows: readonly (readonly string[])[]): void {
    const widths: number[] = [];
    for (const row of rows)
      for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
    for (const row of rows)
      this.line(
        row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd(),
      );
  }

  #clearBar(): void {
    if (this.#bar !== '') process.stderr.write(`\r${' '.repeat(this.#bar.length)}\r`);
    this.#bar = '';
  }
}
