import { compileRegExp, type RegExpProgram } from './regexp-program.ts';
import { runRegExpProgram } from './run-regexp-program.ts';

/** Counting stops at this number of steps: an exponential pattern would not end. */
const maxSteps = 100_000_000;

const nativeExec = RegExp.prototype.exec;
const programs = new Map<string, RegExpProgram>();

/**
 * Counts what `run` does with text: the steps of every regular expression, as a backtracking engine takes them, and the
 * characters that `indexOf`, `lastIndexOf` and `includes` scan.
 *
 * The count is the same on every machine and under any load, so a pattern that has become quadratic fails a test each
 * time. The patterns still give the results of the native engine. Rejects if the counting engine got another result, or
 * if `run` rejects. A pattern throws once `maxSteps` is exceeded.
 */
export async function countTextWork(run: () => unknown): Promise<number> {
  let steps = 0;
  // The engine and the checks below use regular expressions and `includes` themselves.
  let isInside = false;
  const wrong: string[] = [];
  const patched: [object: object, name: string, original: unknown][] = [];
  const patch = <Name extends string>(
    object: Record<Name, unknown>,
    name: Name,
    replace: (...args: never[]) => unknown,
  ): void => {
    patched.push([object, name, object[name]]);
    Object.defineProperty(object, name, { value: replace, writable: true, configurable: true });
  };

  patch(RegExp.prototype, 'exec', function exec(this: RegExp, text: string) {
    if (isInside) return nativeExec.call(this, text);
    const from = this.global || this.sticky ? this.lastIndex : 0;
    isInside = true;
    const counted = runRegExpProgram(programOf(this), String(text), from, this.sticky, maxSteps - steps);
    steps += counted.steps;
    isInside = false;
    // The native engine would be as slow.
    if (steps > maxSteps) throw new Error(`${this} takes more than ${maxSteps} steps.`);
    const found = nativeExec.call(this, text);
    if (JSON.stringify(counted.match) !== JSON.stringify(found ? [found.index, ...found] : null))
      wrong.push(`${this} finds ${JSON.stringify(found)}, the counting engine ${JSON.stringify(counted.match)}`);
    return found;
  });
  for (const name of ['indexOf', 'lastIndexOf', 'includes'] as const) {
    const original = String.prototype[name] as (wanted: string, from?: number) => number | boolean;
    patch(String.prototype, name, function scan(this: string, ...args: [string, number?]) {
      const found = original.apply(this, args);
      if (isInside) return found;
      const start = args[1] ?? (name === 'lastIndexOf' ? this.length : 0);
      const end =
        typeof found === 'number' && found >= 0
          ? found
          : found === true
            ? nativeIndexOf.apply(this, args)
            : name === 'lastIndexOf'
              ? 0
              : this.length;
      steps += Math.abs(end - start) + 1;
      return found;
    });
  }

  try {
    await run();
  } finally {
    for (const [object, name, original] of patched.toReversed())
      Object.defineProperty(object, name, { value: original, writable: true, configurable: true });
  }
  if (wrong.length > 0) throw new Error(wrong[0]);
  return steps > maxSteps ? Infinity : steps;
}

const nativeIndexOf = String.prototype.indexOf;

function programOf(pattern: RegExp): RegExpProgram {
  const key = `${pattern.flags}/${pattern.source}`;
  let program = programs.get(key);
  if (!program) programs.set(key, (program = compileRegExp(pattern)));
  return program;
}
