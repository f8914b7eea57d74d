import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const usualPath =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32/drivers/etc/hosts')
    : '/etc/hosts';

/** The names that the machine knows by itself. Nobody else is asked for them: they may mean something else out there. */
export class HostsFile {
  readonly #path: string;
  #names = new Set<string>();
  /** When it was changed last, as far as it was read. */
  #read = 0;

  constructor(path = usualPath) {
    this.#path = path;
  }

  async has(host: string): Promise<boolean> {
    const name = host.toLowerCase().replace(/\.$/, '');
    if (/(?:^|\.)localhost$/.test(name)) return true;
    try {
      const { mtimeMs } = await stat(this.#path);
      if (mtimeMs !== this.#read) {
        this.#names = namesIn(await readFile(this.#path, 'utf8'));
        this.#read = mtimeMs;
      }
    } catch {
      // A machine without one knows no names.
      this.#names = new Set();
      this.#read = 0;
    }
    return this.#names.has(name);
  }
}

/** Of lines such as `10.0.0.7 chat.internal chat # ours`. */
function namesIn(text: string): Set<string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return new Set(lines.flatMap((line) => line.toLowerCase().split(/\s+/).slice(1)));
}
