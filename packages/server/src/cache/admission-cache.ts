/** The number of slots that remember recent misses. A power of two. */
const seenSlots = 8_192;
const samples = 24;

/**
 * Caches values by text. A value is admitted when its key is set for the second time: rare keys would only evict
 * frequent ones. A full cache is cleared, and frequent keys return soon: tracking recent use would cost more than most
 * values.
 */
export class AdmissionCache<Value> {
  readonly #values = new Map<string, Value>();
  readonly #seen = new Int32Array(seenSlots);
  readonly #maxEntries: number;
  readonly #maxChars: number;
  #chars = 0;

  /** Holds at most `maxEntries` values, with keys of `maxChars` characters in total. */
  constructor(maxEntries: number, maxChars: number) {
    this.#maxEntries = maxEntries;
    this.#maxChars = maxChars;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    if (!this.#isSeenAgain(key)) return;
    if (this.#values.size >= this.#maxEntries || this.#chars + key.length > this.#maxChars) this.#clear();
    this.#values.set(key, value);
    this.#chars += key.length;
  }

  /** Hashes some of the characters. A collision is harmless: it admits a key too early. */
  #isSeenAgain(key: string): boolean {
    const step = Math.max(1, Math.floor(key.length / samples));
    let hash = key.length;
    for (let at = key.length - 1; at >= 0; at -= step) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
    const slot = (hash ^ (hash >>> 13)) & (seenSlots - 1);
    const isSeen = this.#seen[slot] === hash;
    this.#seen[slot] = hash;
    return isSeen;
  }

  #clear(): void {
    this.#values.clear();
    this.#chars = 0;
  }
}
