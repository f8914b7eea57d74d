import { Parser, type Options } from 'acorn';

/** The dialect of a script. `js` may turn out to be any of them: bundlers also accept JSX and types in `.js`. */
export type Dialect = 'js' | 'ts' | 'tsx';

/** A node of a syntax tree, with the fields that all nodes have. */
export interface SyntaxNode {
  readonly type: string;
  /** The range in the text, in characters. */
  readonly start: number;
  readonly end: number;
  readonly [child: string]: unknown;
}

/** A parser has used up its turn. */
export class TurnOverError extends Error {}

/**
 * Parses a script of this dialect, or of one that is often mistaken for it. Returns null if it is neither, takes too
 * many steps or nests too deep. Rejects with a TurnOverError if this process has used its CPU time: see `cpuTimer`.
 */
export async function parseScript(
  text: string,
  dialect: Dialect,
  isTurnOver: () => boolean = () => false,
): Promise<SyntaxNode | null> {
  const budget = new Budget(text, isTurnOver);
  for (const attempt of dialectParsers[dialect]) {
    try {
      return await attempt(text, budget);
    } catch (error) {
      if (error instanceof TurnOverError) throw error;
      // The text may be valid in the next dialect. A text that nests too deep is invalid in all of them.
      if (!(error instanceof SyntaxError)) return null;
    }
  }
  return null;
}

type Attempt = (text: string, budget: Budget) => SyntaxNode | Promise<SyntaxNode>;

const asModule: Attempt = (text, budget) => read(javaScript(), text, { sourceType: 'module' }, budget);
/** For code of old engines, which uses keywords of modules as variables, and octal numbers. */
const asSloppyScript: Attempt = (text, budget) => read(javaScript(), text, { sourceType: 'script' }, budget);
/** `locations` is set because the plugin for types requires lines and columns. */
const asTypes: Attempt = async (text, budget) =>
  read(await typeScript(), text, { sourceType: 'module', locations: true }, budget);
const asTypesWithTags: Attempt = async (text, budget) =>
  read(await typeScriptWithTags(), text, { sourceType: 'module', locations: true }, budget);

const dialectParsers: Record<Dialect, readonly Attempt[]> = {
  js: [asModule, asSloppyScript, asTypesWithTags, asTypes],
  ts: [asTypes, asTypesWithTags],
  tsx: [asTypesWithTags],
};

// Each parser class is created once because the engine would have to optimize each new class again.
const javaScript = lazily(() => bounded(Parser));
const typeScript = lazily(() => loadTypeScript(false));
const typeScriptWithTags = lazily(() => loadTypeScript(true));

async function loadTypeScript(jsx: boolean): Promise<typeof Parser> {
  const { tsPlugin } = await import('@sveltejs/acorn-typescript');
  return bounded(lenient(tsPlugin({ jsx })(Parser)));
}

/** Loads and compiles all parsers, which otherwise happens with the first source of a dialect. */
export async function loadParsers(): Promise<void> {
  for (const dialect of ['js', 'ts', 'tsx'] as const) await parseScript('const a = (b) => b;', dialect);
}

function lazily<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

function read(parser: typeof Parser, text: string, options: Partial<Options>, budget: Budget): SyntaxNode {
  currentBudget = budget;
  return parser.parse(text, {
    ecmaVersion: 'latest',
    allowHashBang: true,
    allowImportExportEverywhere: true,
    allowAwaitOutsideFunction: true,
    allowReturnOutsideFunction: true,
    allowSuperOutsideMethod: true,
    checkPrivateFields: false,
    ...options,
  }) as unknown as SyntaxNode;
}

/**
 * The maximum number of parser steps per character, over all dialects. Real sources need at most two in one dialect,
 * and each report that needs names waits for those before it.
 */
const stepsPerChar = 8;
/** The number of steps after which a parser checks whether its turn is over. */
const stepsPerCheck = 10_000;
/**
 * The maximum recursion depth of a parser, counted in `recursiveMethods`. Of 62,000 real files the deepest reaches 223.
 * At this depth the costliest construct takes 2 MB of stack, half of what `stackKilobytes` gives the process.
 */
const maxSyntaxDepth = 1_000;

/**
 * Limits the work of a parser. To distinguish `(a, b) => c` from `(a, b)` a parser tries both, and in a malicious text
 * again within each of them. Counts steps instead of time, so that a source has the same names on every machine.
 */
class Budget {
  readonly #isTurnOver: () => boolean;
  #stepsLeft: number;
  #nextCheck: number;
  #depth = 0;

  constructor(text: string, isTurnOver: () => boolean) {
    this.#isTurnOver = isTurnOver;
    this.#stepsLeft = stepsPerChar * (text.length + 1_000);
    this.#nextCheck = this.#stepsLeft - stepsPerCheck;
  }

  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < this.#nextCheck) {
      this.#nextCheck = this.#stepsLeft - stepsPerCheck;
      if (this.#isTurnOver()) throw new TurnOverError('This source takes longer than a turn.');
    }
    if (this.#stepsLeft < 0) throw new RangeError('This source takes too many steps to read.');
  }

  /** Called before a method that may call itself. Throws far from the end of the stack, because V8 may abort there. */
  enter(): void {
    if (this.#depth >= maxSyntaxDepth) throw new RangeError('This source nests too deep.');
    this.#depth++;
  }

  leave(): void {
    this.#depth--;
  }
}

/** Texts are parsed one at a time. */
let currentBudget: Budget;

/** Methods that plugins of acorn may override, which its types do not declare. */
interface ParserInside {
  pos: number;
  start: number;
  finishToken(type: unknown, value?: unknown): unknown;
  skipSpace(): void;
  raiseRecoverable(at: number, message: string): void;
  validateRegExpFlags(state: unknown): void;
  validateRegExpPattern(state: unknown): void;
}

/** Every recursion passes one of these methods. Those for types and tags belong to the plugin. */
const recursiveMethods = [
  'parseStatement',
  'parseMaybeAssign',
  'parseMaybeUnary',
  'parseExprOp',
  'parseExprAtom',
  'parseBindingAtom',
  'jsx_parseElementAt',
  'tsParseType',
  'tsParseNonConditionalType',
  'tsParseTypeOperatorOrHigher',
  'tsParseModuleOrNamespaceDeclaration',
];

/**
 * Returns a parser with a budget that accepts code which engines would reject: only the structure of the text matters.
 */
function bounded(parser: typeof Parser): typeof Parser {
  const base = parser as unknown as new (...args: unknown[]) => ParserInside;
  class Bounded extends base {
    override finishToken(type: unknown, value?: unknown): unknown {
      currentBudget.spend(this.pos - this.start + 1);
      return super.finishToken(type, value);
    }

    override skipSpace(): void {
      const from = this.pos;
      super.skipSpace();
      currentBudget.spend(this.pos - from);
    }

    override raiseRecoverable(): void {}

    // These checks take quadratic time in a long expression with many groups.
    override validateRegExpFlags(): void {}
    override validateRegExpPattern(): void {}
  }
  const methods = Bounded.prototype as unknown as Record<string, ((...args: unknown[]) => unknown) | undefined>;
  for (const name of recursiveMethods) {
    const method = methods[name];
    if (!method) continue;
    methods[name] = function (...args) {
      const budget = currentBudget;
      budget.enter();
      try {
        return method.apply(this, args);
      } finally {
        budget.leave();
      }
    };
  }
  return Bounded as unknown as typeof Parser;
}

/** The methods of the plugin for types. */
interface TypeParserInside {
  inType: boolean;
  getTokenFromCode(code: number): unknown;
  getTokenFromCodeInType(code: number): unknown;
  reportReservedArrowTypeParam(node: unknown): void;
}

/** Accepts two constructs that compilers accept and the plugin does not. */
function lenient(parser: typeof Parser): typeof Parser {
  const base = parser as unknown as new (...args: unknown[]) => TypeParserInside;
  class Lenient extends base {
    /** A decorator on the line after a type that no semicolon ends. */
    override getTokenFromCodeInType(code: number): unknown {
      if (code !== atSign) return super.getTokenFromCodeInType(code);
      this.inType = false;
      try {
        return this.getTokenFromCode(code);
      } finally {
        this.inType = true;
      }
    }

    /** `<T extends object>() => …` in a file with JSX. */
    override reportReservedArrowTypeParam(): void {}
  }
  return Lenient as unknown as typeof Parser;
}

const atSign = 64;
