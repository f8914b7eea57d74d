import { truncate } from '../text/truncate.ts';
import { DigitNormalizingCache } from './digit-normalizing-cache.ts';
import { uncommonMessages } from './uncommon-messages.ts';
import type { EngineMessage } from './engine-message.ts';

/** The kind of an engine error. It is the same for the message of every engine. */
export interface ErrorKind {
  kind: string;
  /**
   * The property, function or variable that the error is about. Null unless all engines report it and no minifier
   * renames it.
   */
  name: string | null;
  /** True if an app may throw such a message too, as in `new Error('user is undefined')`. */
  ambiguous: boolean;
  /** True if the patterns may cover the wording of some engines only. */
  uncommon: boolean;
}

/** The number of characters that are matched. A longer message usually ends with quoted source code. */
const maxMatchedChars = 1_000;

// Chromium, Firefox and Safari word one error differently, quote different parts of the code, and change the wording
// between versions. So a message is recognized by its shape, not by the expression in it. No two repetitions of a
// pattern can match the same characters, so all patterns take linear time.
const commonMessages: readonly EngineMessage[] = [
  // Loading, the page and the stack limit. Each kind except `stack-overflow` is one group, whichever code triggers it.
  {
    kind: 'chunk-load-failed',
    firstLetters: 'FfEeIiLlUu',
    pattern:
      /^(?:Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Loading (?:CSS )?chunk \S+ failed|Unable to preload CSS|Failed to load module script|Failed to load chunk \S)/i,
  },
  // The server responded with an error page instead of the script.
  { kind: 'chunk-load-failed', contains: ['MIME type'], pattern: /^'[^'\n]*' is not a valid JavaScript MIME type/ },
  { kind: 'script-error', firstLetters: 'Ss', pattern: /^Script error\.?$/i },
  { kind: 'resize-observer-loop', firstLetters: 'R', pattern: /^ResizeObserver loop/ },
  {
    kind: 'stack-overflow',
    firstLetters: 'Mmt',
    pattern: /^(?:Maximum call stack size exceeded|too much recursion|maximum recursion depth exceeded)/,
  },

  {
    kind: 'fetch-failed',
    firstLetters: 'FNLf',
    pattern: /^(?:Failed to fetch\b|NetworkError when attempting to fetch|Load failed|fetch failed$)/,
  },
  {
    kind: 'fetch-failed',
    firstLetters: 'Tc',
    pattern: /^(?:The network connection was lost|The Internet connection appears to be offline|cancelled$)/,
  },
  {
    kind: 'fetch-failed',
    ambiguous: true,
    firstLetters: 'ACTn',
    pattern:
      /^(?:network error$|Could not connect to the server\.?$|A server with the specified hostname could not be found|The request timed out\.?$|An SSL error has occurred|The certificate for this server is invalid)/,
  },
  {
    kind: 'timed-out',
    firstLetters: 'sT',
    pattern: /^(?:signal timed out$|The operation timed out|The operation was aborted due to timeout)/,
  },
  {
    kind: 'aborted',
    firstLetters: 'sTFB',
    pattern:
      /^(?:signal is aborted|The operation was aborted|Fetch is aborted|The user aborted a request|BodyStreamBuffer was aborted)/,
  },

  {
    kind: 'json-bigint',
    contains: ['BigInt'],
    pattern:
      /^Do not know how to serialize a BigInt|^BigInt value can't be serialized|^JSON\.stringify cannot serialize BigInt/,
  },
  {
    kind: 'json-cycle',
    firstLetters: 'CcJ',
    pattern: /^Converting circular structure to JSON|^cyclic object value|^JSON\.stringify cannot serialize cyclic/,
  },
  {
    kind: 'json-syntax',
    contains: ['JSON'],
    pattern: /^JSON(?:\.parse:| Parse error)|\bin JSON$|\bJSON at position|is not valid JSON$|end of JSON input/,
  },

  {
    kind: 'not-iterable',
    contains: ['iterable', 'Symbol.iterator', 'Spread', 'iterate', 'spread', 'destructure'],
    pattern:
      /(?:is not iterable|is not async iterable)|Symbol\.iterator|^Spread syntax requires|^Invalid attempt to (?:spread|iterate|destructure)/,
  },
  {
    kind: 'nullish:destructure',
    firstLetters: 'CR',
    pattern: /^Cannot destructure (?:property '(?<name>[^'\n]*)')?|^Right side of assignment cannot be destructured/,
  },
  {
    kind: 'nullish:destructure',
    ambiguous: true,
    contains: [' is undefined', ' is null'],
    pattern: /^[^"'\n]{1,400} is (?:undefined|null)$/,
  },
  {
    kind: 'nullish',
    firstLetters: 'C',
    pattern:
      /^Cannot (?:read|set) propert(?:y|ies) of (?:undefined|null)(?: \((?:reading|setting) '(?<name>[^'\n]*)'\))?/,
  },
  {
    kind: 'nullish',
    firstLetters: 'C',
    pattern: /^Cannot (?:read|set) property '(?<name>[^'\n]*)' of (?:undefined|null)/,
  },
  { kind: 'nullish', firstLetters: 'c', pattern: /^can't access property "?(?<name>[^",\n]*)"?(?:,| of) / },
  {
    kind: 'nullish',
    firstLetters: 'un',
    pattern: /^(?:undefined|null) is not an object(?: \(evaluating '(?<expression>[^\n]*)'\))?/,
  },
  {
    kind: 'nullish',
    firstLetters: 'Cc',
    pattern: /^Cannot convert undefined or null to object|^can't convert (?:undefined|null) to object/,
  },

  {
    kind: 'class-without-new',
    firstLetters: 'Cc',
    pattern:
      /^Class constructor \S* ?cannot be invoked without|^class constructors must be invoked with|^Cannot call a class constructor without/,
  },
  {
    kind: 'class-heritage',
    firstLetters: 'CcT',
    pattern:
      /^Class extends value [^\n]* is not a constructor|^class heritage [^\n]* is not an object or null|^The superclass is not a constructor/,
  },
  {
    kind: 'not-a-constructor',
    ambiguous: true,
    contains: ['is not a constructor'],
    pattern: /^(?<expression>[^\n]{1,400}?) is not a constructor/,
  },
  { kind: 'not-iterable', contains: ['is not a function (near'], pattern: / is not a function \(near '/ },
  {
    kind: 'not-a-function',
    firstLetters: 'un',
    pattern: /^(?:undefined|null) is not a function \(evaluating '(?<expression>[^'\n(]{1,400})\(/,
  },
  {
    kind: 'not-a-function',
    ambiguous: true,
    contains: ['is not a function'],
    pattern: /^(?<expression>[^\n]{1,400}?) is not a function/,
  },
  {
    kind: 'not-a-function',
    firstLetters: 'O',
    pattern: /^Object doesn't support property or method '(?<name>[^'\n]*)'/,
  },

  { kind: 'not-defined', firstLetters: 'C', pattern: /^Can't find variable: (?<name>\S+)/ },
  {
    kind: 'not-defined',
    ambiguous: true,
    contains: [' is not defined'],
    pattern: /^(?<name>[\p{L}\p{N}_$]+) is not defined$/u,
  },
  {
    kind: 'before-initialization',
    ambiguous: true,
    contains: ['before initialization', 'Cannot access uninitialized'],
    pattern: /before initialization$|^Cannot access uninitialized variable/,
  },
  {
    kind: 'read-only',
    contains: [
      'read only property',
      'is read-only',
      'readonly property',
      'constant variable',
      'assignment to const',
      'only a getter',
      'getter-only',
    ],
    pattern:
      /^Cannot assign to read only property|is read-only$|^Cannot set property [^\n]* which has only a getter|^setting getter-only property|^Attempted to assign to readonly property|^Assignment to constant variable|^invalid assignment to const/,
  },
  { kind: 'not-extensible', contains: ['extensible'], pattern: /\bobject (?:that )?is not extensible\.?$/i },
  {
    kind: 'in-operator',
    contains: ["'in'", 'is not an Object. (evaluating'],
    pattern:
      /^[Cc]annot use 'in' operator|^right-hand side of 'in' should be|is not an Object\. \(evaluating '[^\n]* in /,
  },
  {
    kind: 'invalid-date',
    firstLetters: 'IidP',
    pattern: /^(?:Invalid time value$|invalid date$|date value is not finite|Passed date is out of range)/i,
  },
  {
    kind: 'invalid-length',
    contains: ['ength'],
    pattern: /^Invalid (?:array|string|typed array) length|^Array length must be|^Invalid array buffer length/i,
  },
  {
    kind: 'invalid-currency',
    contains: ['urrency'],
    pattern: /^Invalid currency code|is not a well-formed currency code/i,
  },
  { kind: 'invalid-time-zone', firstLetters: 'Ii', pattern: /^invalid time zone/i },
  { kind: 'invalid-locale', firstLetters: 'Ii', pattern: /^Incorrect locale information|^invalid language tag/i },
  { kind: 'invalid-selector', contains: ['is not a valid selector'], pattern: /is not a valid selector\.?$/ },
  {
    kind: 'instanceof-operator',
    firstLetters: 'Rri',
    pattern: /^Right-hand side of '?instanceof'?|^invalid 'instanceof' operand/i,
  },
];

const engineMessages: readonly EngineMessage[] = [
  ...commonMessages,
  ...uncommonMessages.map((message) => ({ ...message, uncommon: true })),
];

/** Returns the kind of an engine's message. Returns null for any other text, such as a message of the app. */
export function errorKind(message: string): ErrorKind | null {
  if (appMessages.get(message)) return null;
  const kind = matchMessage(truncate(message, maxMatchedChars));
  // No pattern distinguishes one digit from another.
  if (kind === null) appMessages.set(message, true);
  return kind;
}

/** Messages that are known not to be an engine's. */
const appMessages = new DigitNormalizingCache<true>();

function matchMessage(message: string): ErrorKind | null {
  for (const { kind, pattern, ambiguous = false, uncommon = false, contains } of candidates(message)) {
    // Most messages are the app's. A search for fixed texts excludes them faster than a pattern.
    if (contains !== undefined && !contains.some((text) => message.includes(text))) continue;
    const groups = pattern.exec(message);
    if (groups === null) continue;
    const { expression, ...names } = groups.groups ?? {};
    const name = Object.values(names).find((value) => value !== undefined);
    return { kind, ambiguous, uncommon, name: name ?? (expression === undefined ? null : lastProperty(expression)) };
  }
  return null;
}

const byLetter = new Map<string, readonly EngineMessage[]>();

/** Returns the engine messages that may begin with the first letter of a message. */
function candidates(message: string): readonly EngineMessage[] {
  const letter = message.charAt(0);
  let matching = byLetter.get(letter);
  if (!matching) {
    matching = engineMessages.filter(({ firstLetters }) => firstLetters === undefined || firstLetters.includes(letter));
    if (/^[A-Za-z]$/.test(letter)) byLetter.set(letter, matching);
  }
  return matching;
}

/**
 * Returns the last property of an expression: `price` of `t.product.price`, `b` of `a.b = 3`, `0` of `this.rows[0]`.
 * Returns null for `list[i]`, whose index is unknown, and for `this.#rows`, because minifiers rename private names.
 */
export function lastProperty(expression: string): string | null {
  const target = expression.replace(/ = .*$/, '');
  return (
    /(?:^|[.\s])([\p{L}\p{N}_$]+)$/u.exec(target)?.[1] ??
    /\[(?:(\d+)|["']([^"']*)["'])\]$/.exec(target)?.slice(1).find(Boolean) ??
    null
  );
}
