import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const defaultPath =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32/drivers/etc/hosts')
    : '/etc/hosts';

/**
 * The host names that this machine resolves itself. Name servers are not asked for them: they may resolve them
 * differently.
 */
export class HostsFile {
  readonly #path: string;
  #names = new Set<string>();
  /** Modification time of the file as it was read. */
  #readMtimeMs = 0;

  constructor(path = defaultPath) {
    this.#path = path;
  }

  async has(host: string): Promise<boolean> {
    const name = host.toLowerCase().replace(/\.$/, '');
    if (/(?:^|\.)localhost$/.test(name)) return true;
    try {
      const { mtimeMs } = await stat(this.#path);
      if (mtimeMs !== this.#readMtimeMs) {
        this.#names = namesIn(await readFile(this.#path, 'utf8'));
        this.#readMtimeMs = mtimeMs;
      }
    } catch {
      // Without a hosts file the machine resolves no names itself.
      this.#names = new Set();
      this.#readMtimeMs = 0;
    }
    return this.#names.has(name);
  }
}

/** Reads lines such as `10.0.0.7 chat.internal chat # ours`. */
function namesIn(text: string): Set<string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return new Set(lines.flatMap((line) => line.toLowerCase().split(/\s+/).slice(1)));
}
