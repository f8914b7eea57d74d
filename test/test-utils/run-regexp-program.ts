import type { RegExpProgram } from './regexp-program.ts';

export interface RegExpRun {
  steps: number;
  /** The index of the match and its groups, as `exec` gives them; null if nothing matches. */
  match: (string | number | null | undefined)[] | null;
}

/** Runs a program on a text from `from` on, by backtracking, and counts the instructions. */
export function runRegExpProgram(
  program: RegExpProgram,
  text: string,
  from: number,
  isSticky: boolean,
  maxSteps: number,
): RegExpRun {
  const slots: number[] = Array.from({ length: program.slots }, () => -1);
  let steps = 0;
  for (let start = from; start <= text.length && steps <= maxSteps; start++) {
    slots.fill(-1);
    if (run(0, start)) {
      const groups = Array.from({ length: program.groups }, (_, group) => {
        const [begin = -1, end = -1] = [slots[2 * group], slots[2 * group + 1]];
        return begin < 0 || end < 0 ? undefined : text.slice(begin, end);
      });
      return { steps, match: [slots[0] ?? 0, ...groups] };
    }
    if (isSticky) break;
    // With the flag u a match does not begin inside a pair of surrogates.
    if (program.isUnicode && isHigh(text.charCodeAt(start)) && isLow(text.charCodeAt(start + 1))) start++;
  }
  return { steps, match: null };

  function restore(address: number, value: number): void {
    if (address < 0) slots[-1 - address] = value;
  }

  function undo(changes: readonly number[]): void {
    for (let index = changes.length - 2; index >= 0; index -= 2) restore(changes[index] ?? 0, changes[index + 1] ?? 0);
  }

  /**
   * Returns null if nothing matches. Otherwise returns pairs that undo the match: an untried alternative (address,
   * position), or the previous value of a slot (-1 - slot, value).
   */
  function run(begin: number, position: number): number[] | null {
    const pending: number[] = [];
    let at = begin;
    const set = (slot: number, value: number): void => {
      pending.push(-1 - slot, slots[slot] ?? -1);
      slots[slot] = value;
    };
    const backtrack = (): boolean => {
      while (pending.length > 0) {
        const value = pending.pop() ?? 0;
        const address = pending.pop() ?? 0;
        if (address >= 0) {
          at = address;
          position = value;
          return true;
        }
        restore(address, value);
      }
      return false;
    };
    for (;;) {
      if (++steps > maxSteps) return null;
      const one = program.code[at];
      let succeeds = true;
      switch (one?.op) {
        case 'match':
          return pending;
        case 'jump':
          at = one.to - 1;
          break;
        case 'split':
          pending.push(one.other, position);
          at = one.to - 1;
          break;
        case 'save':
          set(one.slot, position);
          break;
        case 'reset':
          for (let slot = one.from; slot < one.to; slot++) if (slots[slot] !== -1) set(slot, -1);
          break;
        case 'progress':
          succeeds = slots[one.slot] !== position;
          break;
        case 'assert':
          succeeds = holds(one.kind, position);
          break;
        case 'character': {
          const code = one.isBackward ? codeBefore(position) : codeAt(position);
          succeeds = code >= 0 && one.matches(code);
          const length = code > 0xffff ? 2 : 1;
          position += one.isBackward ? -length : length;
          break;
        }
        case 'backreference': {
          const group = one.groups.find((each) => (slots[2 * each + 1] ?? -1) >= 0 && (slots[2 * each] ?? -1) >= 0);
          const wanted = group === undefined ? '' : text.slice(slots[2 * group], slots[2 * group + 1]);
          const start = one.isBackward ? position - wanted.length : position;
          const there = start < 0 ? null : text.slice(start, start + wanted.length);
          steps += wanted.length;
          succeeds = program.ignoresCase ? there?.toLowerCase() === wanted.toLowerCase() : there === wanted;
          position = one.isBackward ? start : start + wanted.length;
          break;
        }
        case 'look': {
          const changes = run(at + 1, position);
          succeeds = (changes !== null) !== one.isNegative;
          if (changes && one.isNegative) undo(changes);
          // The captures of a positive lookaround stay until backtracking passes it.
          else if (changes) pending.push(...restoresOf(changes));
          at = one.to - 1;
          break;
        }
      }
      if (succeeds) at++;
      else if (!backtrack()) return null;
    }
  }

  /** Returns the code point at a position, or the code unit without the flag u; -1 at the end. */
  function codeAt(position: number): number {
    if (position >= text.length) return -1;
    return program.isUnicode ? (text.codePointAt(position) ?? -1) : text.charCodeAt(position);
  }

  function codeBefore(position: number): number {
    if (position <= 0) return -1;
    const isPair = program.isUnicode && isLow(text.charCodeAt(position - 1)) && isHigh(text.charCodeAt(position - 2));
    return isPair ? codeAt(position - 2) : text.charCodeAt(position - 1);
  }

  function holds(kind: '^' | '$' | 'b' | 'B', position: number): boolean {
    const isBreak = (index: number): boolean => program.isMultiline && '\n\r\u2028\u2029'.includes(text[index] ?? 'x');
    if (kind === '^') return position === 0 || isBreak(position - 1);
    if (kind === '$') return position === text.length || isBreak(position);
    return (isWord(text.charCodeAt(position - 1)) !== isWord(text.charCodeAt(position))) === (kind === 'b');
  }
}

function isWord(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 97 && unit <= 122);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Returns the pairs that restore slots. Alternatives are dropped, because a lookaround is not entered again. */
function restoresOf(changes: readonly number[]): number[] {
  return changes.filter((_, index) => (changes[index - (index % 2)] ?? 0) < 0);
}
