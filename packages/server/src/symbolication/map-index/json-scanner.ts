/** How a string is used: skipped, kept up to a number of bytes, or fed to a sink as it arrives. */
export type TextUse = 'skip' | number | TextSink;

export interface TextSink {
  /** Receives the string as UTF-8, without escapes. A lone surrogate arrives as U+FFFD. */
  feed(bytes: Uint8Array, from: number, to: number): void;
}

/** Receives the tokens of JSON in their order. Any method may throw to stop the scanner. */
export interface JsonListener {
  object(): void;
  list(): void;
  /** The innermost object or list ends. */
  end(): void;
  /** A field of the innermost object begins. `name` is null if it is longer than any known field. */
  inKey(name: string | null): void;
  /** A string begins. The result says how it is used. */
  inText(): TextUse;
  /** The string has ended. `kept` is the kept string, or null if it was too long or not kept. */
  textEnd(kept: string | null): void;
  /** A number, true, false or null. */
  scalar(value: number | boolean | null): void;
}

/** The text is not JSON. */
export class NotJsonError extends Error {
  override readonly name = 'NotJsonError';
}

const keyBytes = 64;
const scalarBytes = 64;

// States: the token that is expected next.
const value = 0;
const valueOrEnd = 1;
const key = 2;
const keyOrEnd = 3;
const colon = 4;
const afterValue = 5;
const text = 6;
const escape = 7;
const hex = 8;
const scalar = 9;
const done = 10;

const quoteByte = 0x22;
const backslash = 0x5c;
/** Replaces a lone surrogate. */
const replacement = 0xfffd;

/** Escaped bytes by letter: `n` maps to 10. */
const escapedBytes = new Map(
  [...'"\\/bfnrt'].map((letter, index) => [letter.charCodeAt(0), '"\\/\b\f\n\r\t'.charCodeAt(index)]),
);

/**
 * Scans JSON of any size, in pieces that may be split anywhere, and remembers only its state. As strict as
 * `JSON.parse`, with limits on the depth and the length of numbers that no valid map reaches. Throws a NotJsonError.
 */
export class JsonScanner {
  readonly #listener: JsonListener;
  readonly #maxDepth: number;
  /** For each open container: true if it is a list. */
  readonly #containers: boolean[] = [];
  #state = value;
  #isKey = false;
  #use: TextUse = 'skip';
  /** The kept raw bytes of a string or scalar; null once there are too many. */
  #kept: string | null = null;
  /** The number of digits read of an escape, and their value. */
  #hexDigits = 0;
  #unit = 0;
  /** The high surrogate of a pair that is written as two escapes; 0 if no pair is open. */
  #high = 0;
  /** The UTF-8 of an escape. */
  readonly #escaped = new Uint8Array(4);

  constructor(listener: JsonListener, maxDepth: number) {
    this.#listener = listener;
    this.#maxDepth = maxDepth;
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === text) at = this.#readText(bytes, at);
      else if (this.#state === scalar) at = this.#readScalar(bytes, at);
      else this.#read(bytes[at++] ?? 0);
    }
  }

  /** Throws unless one whole value has been read. */
  finish(): void {
    if (this.#state === scalar) this.#endScalar();
    if (this.#state !== done) throw new NotJsonError('it ends too early');
  }

  #read(byte: number): void {
    if (this.#state === escape) return this.#readEscape(byte);
    if (this.#state === hex) return this.#readHex(byte);
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return;
    switch (this.#state) {
      case valueOrEnd:
        if (byte === 0x5d) return this.#close(true);
        return this.#beginValue(byte);
      case value:
        return this.#beginValue(byte);
      case keyOrEnd:
        if (byte === 0x7d) return this.#close(false);
        return this.#beginKey(byte);
      case key:
        return this.#beginKey(byte);
      case colon:
        if (byte !== 0x3a) throw unexpected();
        this.#state = value;
        return;
      case afterValue: {
        const isList = this.#containers.at(-1) === true;
        if (byte === 0x2c) this.#state = isList ? value : key;
        else if (byte === (isList ? 0x5d : 0x7d)) this.#close(isList);
        else throw unexpected();
        return;
      }
      default:
        throw unexpected();
    }
  }

  #beginValue(byte: number): void {
    if (byte === quoteByte) {
      this.#isKey = false;
      this.#beginText(this.#listener.inText());
    } else if (byte === 0x7b) {
      this.#open(false);
    } else if (byte === 0x5b) {
      this.#open(true);
    } else {
      this.#state = scalar;
      this.#kept = String.fromCharCode(byte);
    }
  }

  #beginKey(byte: number): void {
    if (byte !== quoteByte) throw unexpected();
    this.#isKey = true;
    this.#beginText(keyBytes);
  }

  #beginText(use: TextUse): void {
    this.#state = text;
    this.#use = use;
    this.#kept = typeof use === 'number' ? '' : null;
  }

  #open(isList: boolean): void {
    if (this.#containers.length === this.#maxDepth) throw new NotJsonError('it is nested too deep');
    this.#containers.push(isList);
    this.#state = isList ? valueOrEnd : keyOrEnd;
    if (isList) this.#listener.list();
    else this.#listener.object();
  }

  #close(isList: boolean): void {
    if (this.#containers.pop() !== isList) throw unexpected();
    this.#listener.end();
    this.#endValue();
  }

  #endValue(): void {
    this.#state = this.#containers.length === 0 ? done : afterValue;
  }

  #readText(bytes: Uint8Array, from: number): number {
    let at = from;
    let byte = 0;
    while (at < bytes.length) {
      byte = bytes[at] ?? 0;
      if (byte === quoteByte || byte === backslash || byte < 0x20) break;
      at++;
    }
    if (at > from && this.#use !== 'skip') this.#take(bytes, from, at);
    if (at === bytes.length) return at;
    if (byte === quoteByte) this.#endText();
    else if (byte === backslash) this.#state = escape;
    // A control character must be escaped.
    else throw unexpected();
    return at + 1;
  }

  #take(bytes: Uint8Array, from: number, to: number): void {
    if (typeof this.#use === 'object') {
      if (this.#high !== 0) this.#feedHalf(this.#use);
      this.#use.feed(bytes, from, to);
    } else
      this.#keep(to - from, () => Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1'));
  }

  #keep(length: number, raw: () => string): void {
    if (this.#kept === null || typeof this.#use !== 'number') return;
    this.#kept = this.#kept.length + length <= this.#use ? this.#kept + raw() : null;
  }

  #endText(): void {
    if (this.#high !== 0 && typeof this.#use === 'object') this.#feedHalf(this.#use);
    // Bytes are decoded at the end because a character may arrive in two pieces.
    const kept = this.#kept === null ? null : unescaped(Buffer.from(this.#kept, 'latin1').toString());
    if (this.#isKey) {
      this.#listener.inKey(kept);
      this.#state = colon;
    } else {
      this.#listener.textEnd(kept);
      this.#endValue();
    }
  }

  #readEscape(byte: number): void {
    if (byte === 0x75) {
      this.#state = hex;
      this.#hexDigits = 0;
      this.#unit = 0;
      return;
    }
    const meant = escapedBytes.get(byte);
    if (meant === undefined) throw unexpected();
    this.#state = text;
    this.#takeEscape(meant, String.fromCharCode(backslash, byte));
  }

  #readHex(byte: number): void {
    const digit = hexDigit(byte);
    if (digit < 0) throw unexpected();
    this.#unit = this.#unit * 16 + digit;
    if (++this.#hexDigits < 4) return;
    this.#state = text;
    this.#takeEscape(this.#unit, `\\u${this.#unit.toString(16).padStart(4, '0')}`);
  }

  #takeEscape(meant: number, raw: string): void {
    if (typeof this.#use === 'object') this.#feedUnit(this.#use, meant);
    else this.#keep(raw.length, () => raw);
  }

  /** A unit of UTF-16. */
  #feedUnit(sink: TextSink, unit: number): void {
    const high = this.#high;
    if (high !== 0 && unit >= 0xdc00 && unit <= 0xdfff) {
      this.#high = 0;
      return this.#feedCharacter(sink, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
    }
    if (high !== 0) this.#feedHalf(sink);
    if (unit >= 0xd800 && unit <= 0xdbff) this.#high = unit;
    else this.#feedCharacter(sink, unit >= 0xdc00 && unit <= 0xdfff ? replacement : unit);
  }

  #feedHalf(sink: TextSink): void {
    this.#high = 0;
    this.#feedCharacter(sink, replacement);
  }

  #feedCharacter(sink: TextSink, code: number): void {
    const bytes = this.#escaped;
    const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    let rest = code;
    for (let at = more; at > 0; at--) {
      bytes[at] = 0x80 | (rest & 0x3f);
      rest >>>= 6;
    }
    bytes[0] = more === 0 ? rest : (0xf0 << (3 - more)) | rest;
    sink.feed(bytes, 0, more + 1);
  }

  #readScalar(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length && isScalarByte(bytes[at] ?? 0)) at++;
    this.#kept += Buffer.from(bytes.buffer, bytes.byteOffset + from, at - from).toString('latin1');
    // JSON allows numbers of any length, but a number this long has no use here.
    if ((this.#kept?.length ?? 0) > scalarBytes) throw new NotJsonError('a number is too long');
    if (at < bytes.length) this.#endScalar();
    return at;
  }

  #endScalar(): void {
    let meant: unknown;
    try {
      meant = JSON.parse(this.#kept ?? '');
    } catch {
      throw unexpected();
    }
    this.#endValue();
    this.#listener.scalar(meant as number | boolean | null);
  }
}

/** Returns whether a byte may be part of a number, `true`, `false` or `null`. */
function isScalarByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) ||
    byte === 0x2e ||
    byte === 0x2b ||
    byte === 0x2d
  );
}

/** Decodes the inside of a JSON string. A lone surrogate becomes U+FFFD. */
function unescaped(raw: string): string {
  return (JSON.parse(`"${raw}"`) as string).toWellFormed();
}

/** Returns the value of a hexadecimal digit, or -1 for any other byte. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function unexpected(): NotJsonError {
  return new NotJsonError('a character is unexpected');
}
