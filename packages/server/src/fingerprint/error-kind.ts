/** What an engine complained about, the same word for every engine's wording of it. */
export interface ErrorKind {
  kind: string;
  /** The property, function or variable it is about, where all engines tell it and no minifier changed it. */
  name: string | null;
  /** A sentence that people write too, as in `new Error('user is undefined')`. */
  everyday: boolean;
}

/** Longer ones end in pieces of source. */
const sentenceChars = 1_000;

interface Sentence {
  kind: string;
  /** Its group `name`, if any, holds the name itself; `expression` the code whose last property it is. */
  pattern: RegExp;
  everyday?: true;
}

// Chromium, Firefox and Safari word one fault differently, quote different parts of the code, and change the words
// between versions. So a sentence is known by its shape, whatever expression stands in it.
// No two repetitions of a pattern compete for the same characters: all are linear.
const sentences: readonly Sentence[] = [
  // Loading and the page: these are groups of their own wherever they come from.
  {
    kind: 'chunk-load-failed',
    pattern:
      /^(?:Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Loading (?:CSS )?chunk \S+ failed|Unable to preload CSS|Failed to load module script)/i,
  },
  { kind: 'script-error', pattern: /^Script error\.?$/i },
  { kind: 'resize-observer-loop', pattern: /^ResizeObserver loop/ },
  { kind: 'stack-overflow', pattern: /^(?:Maximum call stack size exceeded|too much recursion)/ },

  {
    kind: 'fetch-failed',
    pattern: /^(?:Failed to fetch\b|NetworkError when attempting to fetch|Load failed|fetch failed$)/,
  },
  {
    kind: 'fetch-failed',
    pattern: /^(?:The network connection was lost|The Internet connection appears to be offline|cancelled$)/,
  },
  {
    kind: 'aborted',
    pattern: /^(?:signal is aborted|The operation was aborted|Fetch is aborted|The user aborted a request)/,
  },

  {
    kind: 'json-syntax',
    pattern: /^JSON(?:\.parse:| Parse error)|\bin JSON(?: at position|$)|is not valid JSON$|end of JSON input/,
  },

  {
    kind: 'not-iterable',
    pattern:
      /(?:is not iterable|is not async iterable)|Symbol\.iterator|^Spread syntax requires|^Invalid attempt to (?:spread|iterate|destructure)/,
  },
  { kind: 'nullish:destructure', pattern: /^Cannot destructure |^Right side of assignment cannot be destructured/ },
  { kind: 'nullish:destructure', everyday: true, pattern: /^[^"'\n]{1,400} is (?:undefined|null)$/ },
  {
    kind: 'nullish',
    pattern:
      /^Cannot (?:read|set) propert(?:y|ies) of (?:undefined|null)(?: \((?:reading|setting) '(?<name>[^'\n]*)'\))?/,
  },
  { kind: 'nullish', pattern: /^Cannot (?:read|set) property '(?<name>[^'\n]*)' of (?:undefined|null)/ },
  { kind: 'nullish', pattern: /^can't access property "?(?<name>[^",\n]*)"?(?:,| of) / },
  { kind: 'nullish', pattern: /^(?:undefined|null) is not an object(?: \(evaluating '(?<expression>[^\n]*)'\))?/ },
  {
    kind: 'nullish',
    pattern: /^Cannot convert undefined or null to object|^can't convert (?:undefined|null) to object/,
  },

  {
    kind: 'class-without-new',
    pattern:
      /^Class constructor \S* ?cannot be invoked without|^class constructors must be invoked with|^Cannot call a class constructor without/,
  },
  { kind: 'not-a-constructor', everyday: true, pattern: /^(?<expression>[^\n]{1,400}?) is not a constructor/ },
  { kind: 'not-iterable', pattern: / is not a function \(near '/ },
  { kind: 'not-a-function', everyday: true, pattern: /^(?<expression>[^\n]{1,400}?) is not a function/ },
  { kind: 'not-a-function', pattern: /^Object doesn't support property or method '(?<name>[^'\n]*)'/ },

  { kind: 'not-defined', pattern: /^Can't find variable: (?<name>\S+)/ },
  { kind: 'not-defined', everyday: true, pattern: /^(?<name>[\p{L}\p{N}_$]+) is not defined$/u },
  {
    kind: 'before-initialization',
    everyday: true,
    pattern: /before initialization$|^Cannot access uninitialized variable/,
  },
  {
    kind: 'read-only',
    pattern:
      /^Cannot assign to read only property|is read-only$|^Attempted to assign to readonly property|^Assignment to constant variable|^invalid assignment to const/,
  },
  { kind: 'not-extensible', pattern: /\bobject (?:that )?is not extensible\.?$/i },
  {
    kind: 'in-operator',
    pattern:
      /^[Cc]annot use 'in' operator|^right-hand side of 'in' should be|is not an Object\. \(evaluating '[^\n]* in /,
  },
  { kind: 'invalid-date', pattern: /^(?:Invalid time value|invalid date)$/i },
  {
    kind: 'invalid-length',
    pattern: /^Invalid (?:array|string|typed array) length|^Array length must be|^Invalid array buffer length/i,
  },
  { kind: 'invalid-currency', pattern: /^Invalid currency code|is not a well-formed currency code/i },
  { kind: 'invalid-time-zone', pattern: /^invalid time zone/i },
  { kind: 'invalid-locale', pattern: /^Incorrect locale information|^invalid language tag/i },
  { kind: 'invalid-selector', pattern: /is not a valid selector\.?$/ },
  { kind: 'instanceof-operator', pattern: /^Right-hand side of '?instanceof'?|^invalid 'instanceof' operand/i },
];

/** Reads the sentence of an engine. Null for every other text, such as what an app says in its own words. */
export function errorKind(message: string): ErrorKind | null {
  const sentence = message.slice(0, sentenceChars);
  for (const { kind, pattern, everyday = false } of sentences) {
    const groups = pattern.exec(sentence);
    if (groups === null) continue;
    const { name, expression } = groups.groups ?? {};
    return { kind, everyday, name: name ?? (expression === undefined ? null : lastProperty(expression)) };
  }
  return null;
}

/** `t.product.price` is about `price`, `a.b = 3` about `b`, `this.rows[0]` about `0`; of `list[i]` nobody knows. */
export function lastProperty(expression: string): string | null {
  const target = expression.replace(/ = .*$/, '');
  return (
    /(?:^|[.\s])#?([\p{L}\p{N}_$]+)$/u.exec(target)?.[1] ??
    /\[(?:(\d+)|["']([^"']*)["'])\]$/.exec(target)?.slice(1).find(Boolean) ??
    null
  );
}
