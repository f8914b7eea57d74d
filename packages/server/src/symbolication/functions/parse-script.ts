import { Parser, type Options } from 'acorn';

/** How a script is written. `js` may turn out to be any of them: bundlers take JSX and types in `.js`, too. */
export type Dialect = 'js' | 'ts' | 'tsx';

/** A node of the tree that a parser makes, as far as every node is alike. */
export interface SyntaxNode {
  readonly type: string;
  /** From and to where in the text, in characters. */
  readonly start: number;
  readonly end: number;
  readonly [child: string]: unknown;
}

/** Reads a script of this dialect, or of one that is often called so. Null if it is none of them. */
export async function parseScript(text: string, dialect: Dialect): Promise<SyntaxNode | null> {
  const budget = new Budget(text);
  for (const attempt of attempts[dialect]) {
    try {
      return await attempt(text, budget);
    } catch (error) {
      // What is no script of this kind may be one of the next. A text that nests too deep is one of none.
      if (!(error instanceof SyntaxError)) return null;
    }
  }
  return null;
}

type Attempt = (text: string, budget: Budget) => SyntaxNode | Promise<SyntaxNode>;

const asModule: Attempt = (text, budget) => read(javaScript(), text, { sourceType: 'module' }, budget);
/** Code for old engines has words for variables that modules know as keywords, and octal numbers. */
const asSloppyScript: Attempt = (text, budget) => read(javaScript(), text, { sourceType: 'script' }, budget);
/** The plugin can't do without lines and columns. */
const asTypes: Attempt = async (text, budget) =>
  read(await typeScript(), text, { sourceType: 'module', locations: true }, budget);
const asTypesWithTags: Attempt = async (text, budget) =>
  read(await typeScriptWithTags(), text, { sourceType: 'module', locations: true }, budget);

const attempts: Record<Dialect, readonly Attempt[]> = {
  js: [asModule, asSloppyScript, asTypesWithTags, asTypes],
  ts: [asTypes, asTypesWithTags],
  tsx: [asTypesWithTags],
};

// Each made once: the engine learns to run a class fast, and learns anew with each new class.
const javaScript = once(() => bounded(Parser));
const typeScript = once(() => loadTypeScript(false));
const typeScriptWithTags = once(() => loadTypeScript(true));

/** Imported when it is first needed, for many an app is written without types. */
async function loadTypeScript(jsx: boolean): Promise<typeof Parser> {
  const { tsPlugin } = await import('@sveltejs/acorn-typescript');
  return bounded(lenient(tsPlugin({ jsx })(Parser)));
}

function once<Made>(make: () => Made): () => Made {
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
 * Steps that a parser may take for each character, in all dialects that are tried. Real sources need no more than two in one
 * dialect, and each report that needs names waits for those before it.
 */
const stepsPerChar = 8;
/**
 * How deep a parser may recurse, counted at the methods of `recursiveMethods`. Of 62,000 real files the deepest reaches 223.
 * At this depth the costliest construct takes 2 MB of stack, half of what `stackKilobytes` gives the process.
 */
const maxDepth = 1_000;

/**
 * How much of a text may be read. To tell `(a, b) => c` from `(a, b)` a parser tries both, and in a text that is made for
 * it both again within each of them. Counted rather than timed, so that a source has the same names on every machine.
 */
class Budget {
  #stepsLeft: number;
  #depth = 0;

  constructor(text: string) {
    this.#stepsLeft = stepsPerChar * (text.length + 1_000);
  }

  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new RangeError('This source takes too many steps to read.');
  }

  /** Called before a method that may call itself. Far from the end of the stack it throws: at its end V8 may abort. */
  enter(): void {
    if (this.#depth >= maxDepth) throw new RangeError('This source nests too deep.');
    this.#depth++;
  }

  leave(): void {
    this.#depth--;
  }
}

/** Texts are read one at a time. */
let currentBudget: Budget;

/** What plugins of acorn may override, and its types do not tell of. */
interface ParserInside {
  pos: number;
  start: number;
  finishToken(type: unknown, value?: unknown): unknown;
  skipSpace(): void;
  raiseRecoverable(at: number, message: string): void;
  validateRegExpFlags(state: unknown): void;
  validateRegExpPattern(state: unknown): void;
}

/** One of these is on the way of every recursion. Those of types and tags are the plugin's. */
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

/** A parser with a budget, which accepts what engines would reject: only the shape of the text matters. */
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

    // In a long expression with many groups to look at each takes a look at all.
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

/** The same of the plugin for types. */
interface TypeParserInside {
  inType: boolean;
  getTokenFromCode(code: number): unknown;
  getTokenFromCodeInType(code: number): unknown;
  reportReservedArrowTypeParam(node: unknown): void;
}

/** Reads two things that the plugin does not, and compilers do. */
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

    /** `<T extends object>() => …` among tags. */
    override reportReservedArrowTypeParam(): void {}
  }
  return Lenient as unknown as typeof Parser;
}

const atSign = 64;
