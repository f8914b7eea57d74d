/** One instruction of a backtracking matcher. `slot` numbers a saved position, `to` and `other` are addresses. */
type Instruction =
  | { op: 'character'; matches: (code: number) => boolean; isBackward: boolean }
  | { op: 'split'; to: number; other: number }
  | { op: 'jump'; to: number }
  | { op: 'save'; slot: number }
  | { op: 'reset'; from: number; to: number }
  | { op: 'progress'; slot: number }
  | { op: 'assert'; kind: '^' | '$' | 'b' | 'B' }
  | { op: 'look'; isNegative: boolean; to: number }
  | { op: 'backreference'; groups: number[]; isBackward: boolean }
  | { op: 'match' };

export interface RegExpProgram {
  code: Instruction[];
  /** Groups, the whole match included. */
  groups: number;
  /** Saved positions: two for each group, one for each loop. */
  slots: number;
  isUnicode: boolean;
  isMultiline: boolean;
  ignoresCase: boolean;
}

/** Compiles a pattern of JavaScript into instructions, which can be counted while they run. */
export function compileRegExp(pattern: RegExp): RegExpProgram {
  return new Compiler(pattern).compile();
}

/** Taken before anything counts: the compiler's own patterns are not counted. */
const nativeExec = RegExp.prototype.exec;

class Compiler {
  readonly #source: string;
  readonly #flags: string;
  readonly #isUnicode: boolean;
  readonly #isMultiline: boolean;
  readonly #code: Instruction[] = [];
  readonly #names = new Map<string, number[]>();
  #at = 0;
  #groups = 1;
  #loops = 0;
  readonly #groupCount: number;

  constructor({ source, flags }: RegExp) {
    this.#source = source;
    this.#isUnicode = /[uv]/.test(flags);
    this.#isMultiline = flags.includes('m');
    this.#flags = flags.replaceAll(/[^isuv]/g, '');
    this.#groupCount =
      1 +
      countGroups(source, (name, group) => {
        this.#names.set(name, [...(this.#names.get(name) ?? []), group]);
      });
  }

  compile(): RegExpProgram {
    this.#code.push({ op: 'save', slot: 0 });
    this.#alternatives(false);
    if (this.#at < this.#source.length) throw new Error(`Cannot read /${this.#source}/ at ${this.#at}.`);
    this.#code.push({ op: 'save', slot: 1 }, { op: 'match' });
    return {
      code: this.#code,
      groups: this.#groupCount,
      slots: 2 * this.#groupCount + this.#loops,
      isUnicode: this.#isUnicode,
      isMultiline: this.#isMultiline,
      ignoresCase: this.#flags.includes('i'),
    };
  }

  #alternatives(isBackward: boolean): void {
    const start = this.#code.length;
    const ends: number[] = [];
    this.#sequence(isBackward);
    while (this.#take('|')) {
      // The first alternative moves behind a split that tries it first.
      const first = this.#cut(ends.length === 0 ? start : (ends.at(-1) ?? 0) + 1);
      const at = this.#code.length;
      this.#code.push({ op: 'split', to: at + 1, other: at + first.length + 2 });
      this.#append(first, at + 1);
      ends.push(this.#code.length);
      this.#code.push({ op: 'jump', to: -1 });
      this.#sequence(isBackward);
    }
    for (const end of ends) this.#code[end] = { op: 'jump', to: this.#code.length };
  }

  #sequence(isBackward: boolean): void {
    const terms: Relocatable[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) {
      const start = this.#code.length;
      this.#term(isBackward);
      terms.push(this.#cut(start));
    }
    // A lookbehind reads its last term first.
    for (const term of isBackward ? terms.toReversed() : terms) this.#append(term, this.#code.length);
  }

  #term(isBackward: boolean): void {
    const start = this.#code.length;
    const firstGroup = this.#groups;
    const isSingle = this.#atom(isBackward);
    const range = this.#quantifier();
    if (range) this.#repeat(this.#cut(start), range, isSingle, firstGroup);
  }

  /** Returns whether the atom is one character. */
  #atom(isBackward: boolean): boolean {
    const source = this.#source;
    const rest = source.slice(this.#at);
    if (this.#take('^')) this.#code.push({ op: 'assert', kind: '^' });
    else if (this.#take('$')) this.#code.push({ op: 'assert', kind: '$' });
    else if (this.#take('\\b')) this.#code.push({ op: 'assert', kind: 'b' });
    else if (this.#take('\\B')) this.#code.push({ op: 'assert', kind: 'B' });
    else if (rest.startsWith('(')) this.#group(isBackward);
    else {
      const reference = /^\\(?:k<([^>]+)>|([1-9]\d*))/.exec(rest);
      if (reference && (reference[1] !== undefined || Number(reference[2]) < this.#groupCount)) {
        this.#at += reference[0].length;
        const groups = reference[1] === undefined ? [Number(reference[2])] : (this.#names.get(reference[1]) ?? []);
        this.#code.push({ op: 'backreference', groups, isBackward });
        return false;
      }
      const text = characterOf(rest, this.#isUnicode, this.#flags.includes('v'));
      this.#at += text.length;
      const pattern = new RegExp(`^(?:${text})$`, this.#flags);
      const matches = remember((character) => nativeExec.call(pattern, character) !== null);
      this.#code.push({ op: 'character', matches, isBackward });
      return true;
    }
    return false;
  }

  #group(isBackward: boolean): void {
    const look = /^\(\?(<?)([=!])/.exec(this.#source.slice(this.#at));
    if (look) {
      this.#at += look[0].length;
      const at = this.#code.length;
      this.#code.push({ op: 'look', isNegative: look[2] === '!', to: -1 });
      this.#alternatives(look[1] === '<');
      this.#code.push({ op: 'match' });
      this.#code[at] = { op: 'look', isNegative: look[2] === '!', to: this.#code.length };
    } else if (this.#take('(?:')) this.#alternatives(isBackward);
    else {
      this.#at += (/^\((?:\?<[^>]+>)?/.exec(this.#source.slice(this.#at))?.[0] ?? '(').length;
      const group = this.#groups++;
      const [open, close] = isBackward ? [2 * group + 1, 2 * group] : [2 * group, 2 * group + 1];
      this.#code.push({ op: 'save', slot: open });
      this.#alternatives(isBackward);
      this.#code.push({ op: 'save', slot: close });
    }
    if (!this.#take(')')) throw new Error(`Cannot read /${this.#source}/ at ${this.#at}.`);
  }

  #quantifier(): { min: number; max: number; isLazy: boolean } | null {
    const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/.exec(this.#source.slice(this.#at));
    if (!found) return null;
    this.#at += found[0].length;
    const [, sign, minimum, comma, maximum, lazy] = found;
    const isLazy = lazy === '?';
    if (sign) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity, isLazy };
    return { min: Number(minimum), max: comma ? (maximum ? Number(maximum) : Infinity) : Number(minimum), isLazy };
  }

  #repeat(
    body: Relocatable,
    { min, max, isLazy }: { min: number; max: number; isLazy: boolean },
    isSingle: boolean,
    firstGroup: number,
  ): void {
    const pushBody = (): void => {
      if (this.#groups > firstGroup) this.#code.push({ op: 'reset', from: 2 * firstGroup, to: 2 * this.#groups });
      this.#append(body, this.#code.length);
    };
    const split = (next: number, end: number): Instruction =>
      isLazy ? { op: 'split', to: end, other: next } : { op: 'split', to: next, other: end };
    for (let times = 0; times < min; times++) pushBody();
    const slot = 2 * this.#groupCount + this.#loops;
    if (!isSingle) this.#loops++;
    const pushGuarded = (): void => {
      // An iteration that matches nothing does not count.
      if (!isSingle) this.#code.push({ op: 'save', slot });
      pushBody();
      if (!isSingle) this.#code.push({ op: 'progress', slot });
    };
    if (max === Infinity) {
      const at = this.#code.length;
      this.#code.push({ op: 'match' });
      pushGuarded();
      this.#code.push({ op: 'jump', to: at });
      this.#code[at] = split(at + 1, this.#code.length);
      return;
    }
    const splits: number[] = [];
    for (let times = min; times < max; times++) {
      splits.push(this.#code.length);
      this.#code.push({ op: 'match' });
      pushGuarded();
    }
    for (const at of splits) this.#code[at] = split(at + 1, this.#code.length);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #cut(from: number): Relocatable {
    return { from, length: this.#code.length - from, code: this.#code.splice(from) };
  }

  #append({ from, code }: Relocatable, at: number): void {
    const by = at - from;
    for (const one of code) {
      if (one.op === 'split') this.#code.push({ ...one, to: one.to + by, other: one.other + by });
      else if (one.op === 'jump' || one.op === 'look') this.#code.push({ ...one, to: one.to + by });
      else this.#code.push(one);
    }
  }
}

/** Instructions that were compiled for another address. */
interface Relocatable {
  from: number;
  length: number;
  code: Instruction[];
}

/** Returns the source of the one character, class or escape that a pattern begins with. */
function characterOf(rest: string, isUnicode: boolean, hasNestedClasses: boolean): string {
  if (rest.startsWith('\\'))
    return (
      /^\\(?:u\{[\da-f]+\}|u[\da-f]{4}(?:\\u[\da-f]{4})?|x[\da-f]{2}|[pP]\{[^}]*\}|c[a-z]|[^])/i.exec(rest)?.[0] ?? rest
    );
  if (!rest.startsWith('[')) return isUnicode ? (Array.from(rest.slice(0, 2))[0] ?? '') : rest.slice(0, 1);
  let depth = 0;
  for (let at = 0; at < rest.length; at++) {
    if (rest[at] === '\\') at++;
    else if (rest[at] === '[' && (depth === 0 || hasNestedClasses)) depth++;
    else if (rest[at] === ']' && --depth === 0) return rest.slice(0, at + 1);
  }
  throw new Error(`A class has no end: ${rest}`);
}

function countGroups(source: string, onName: (name: string, group: number) => void): number {
  let count = 0;
  for (let at = 0; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '[') at += characterOf(source.slice(at), false, false).length - 1;
    else if (source[at] === '(') {
      const name = /^\(\?<([^=!][^>]*)>/.exec(source.slice(at))?.[1];
      if (source[at + 1] !== '?' || name !== undefined) count++;
      if (name !== undefined) onName(name, count);
    }
  }
  return count;
}

/** Caches the result of a class by code point: most texts contain few different ones. */
function remember(matches: (character: string) => boolean): (code: number) => boolean {
  const known: (boolean | undefined)[] = [];
  return (code) => (known[code] ??= matches(String.fromCodePoint(code)));
}
