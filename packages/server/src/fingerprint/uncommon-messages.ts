import type { EngineMessage } from './engine-message.ts';

/**
 * Engine messages that are used only if the source does not show who wrote the message. If it does, the error class and
 * the frame are used instead, because they are equal in versions of an engine that word the message differently.
 */
export const uncommonMessages: readonly EngineMessage[] = [
  // Numbers.
  {
    kind: 'number-digits',
    contains: ['argument must be between', 'precision '],
    pattern:
      /^to(?:Fixed|Precision|Exponential)\(\) (?:digits )?argument must be between|^precision -?[\d.e+]+ out of range/,
  },
  {
    kind: 'number-radix',
    contains: ['radix'],
    pattern: /^toString\(\) radix (?:argument )?must be between|^radix must be an integer at least/,
  },
  {
    kind: 'repeat-count',
    contains: ['count', 'String.prototype.repeat'],
    pattern: /^Invalid count value: |^repeat count must be|^String\.prototype\.repeat argument must be/,
  },
  {
    kind: 'code-point',
    contains: ['code point'],
    pattern: /^Invalid code point |is not a valid code point$|^Arguments contain a value that is out of range of code/,
  },
  {
    kind: 'number-unit',
    contains: ['unit '],
    pattern: /^Invalid unit argument for |^invalid unit identifier in |^unit is not a well-formed unit/,
  },
  {
    kind: 'bigint-mix',
    contains: ['BigInt'],
    pattern: /^Cannot mix BigInt and other|^Invalid mix of BigInt and other/,
  },
  {
    // One message of Firefox covers mixing and converting.
    kind: 'bigint-mix',
    contains: ['BigInt'],
    pattern: /^Cannot convert a BigInt value to a number|^can't convert BigInt to number|^Conversion from 'BigInt' to/,
  },
  {
    kind: 'bigint-fraction',
    ambiguous: true,
    contains: ['BigInt because', 'Not an integer'],
    pattern: /(?:cannot|can't) be converted to (?:a )?BigInt because|^Not an integer$/,
  },
  {
    kind: 'bigint-syntax',
    contains: ['BigInt'],
    pattern: /^Cannot convert [^\n]* to a BigInt$|^invalid BigInt syntax|^Failed to parse String to BigInt/,
  },
  {
    kind: 'division-by-zero',
    ambiguous: true,
    contains: ['ivision by zero', 'invalid divisor'],
    pattern: /^(?:BigInt )?[Dd]ivision by zero$|^0 is an invalid divisor/,
  },

  // Values and objects.
  {
    kind: 'symbol-conversion',
    contains: ['ymbol'],
    pattern: /^Cannot convert a [Ss]ymbol (?:value )?to a |^can't convert symbol to /,
  },
  {
    kind: 'primitive-conversion',
    contains: ['primitive', 'No default value'],
    pattern: /^Cannot convert object to primitive value|^can't convert [^\n]* to primitive type|^No default value$/,
  },
  { kind: 'reduce-empty', firstLetters: 'Rr', pattern: /^[Rr]educe of empty array with no initial value/ },
  {
    kind: 'private-write',
    contains: ['private'],
    pattern:
      /^Cannot write private member|^can't set private field|^Cannot access invalid private field \(evaluating '[^'\n]*?#[\w$]+ ?=[^=]/,
  },
  {
    kind: 'private-read',
    contains: ['private', 'must be an instance of class'],
    pattern:
      /^Cannot read private member|^can't access private field|^Cannot access (?:invalid )?private|^(?:Receiver|Object) must be an instance of class /,
  },
  {
    kind: 'proxy-trap',
    contains: ['proxy', 'Proxy'],
    pattern:
      /^'(?<name>\w+)' on proxy: trap returned fals|^proxy (?<trap>\w+) handler returned false|^Proxy object's '(?<handler>\w+)' trap returned fals/,
  },
  {
    kind: 'not-deletable',
    contains: ['delete'],
    pattern: /^Cannot delete property |is non-configurable and can't be deleted$|^Unable to delete property/,
  },
  {
    kind: 'not-configurable',
    contains: ['redefine', 'unconfigurable'],
    pattern: /^Cannot redefine property|^can't redefine non-configurable property|of (?:an )?unconfigurable property/,
  },
  {
    kind: 'super-first',
    contains: ['super'],
    pattern: /^Must call super constructor|^must call super constructor|^'super\(\)' must be called/,
  },
  {
    kind: 'generator-running',
    contains: ['enerator'],
    pattern: /^Generator is (?:already running|executing)|^already executing generator/,
  },
  {
    kind: 'out-of-memory',
    contains: ['allocation', 'ut of memory'],
    pattern: /^Array buffer allocation failed|^allocation size overflow|^[Oo]ut of memory$/,
  },
  {
    kind: 'all-rejected',
    contains: ['romise'],
    pattern: /^All promises were rejected|^No Promise in Promise\.any was resolved/,
  },

  // Code.
  {
    kind: 'invalid-pattern',
    firstLetters: 'Iuni',
    pattern:
      /^Invalid regular expression: |^unterminated (?:parenthetical|character class)$|^nothing to repeat$|^invalid (?:regexp group|regular expression|identity escape|range in character class|capture group name)/,
  },
  {
    kind: 'page-for-script',
    firstLetters: 'Ue',
    pattern: /^Unexpected token '?<'?$|^expected expression, got '<'$/,
  },
  {
    kind: 'no-export',
    contains: ['an export named', 'Importing binding name'],
    pattern: /an export named:? '(?<name>[^'\n]*)'|^Importing binding name '(?<binding>[^'\n]*)' is not found/,
  },

  // Browsers.
  {
    kind: 'invalid-url',
    contains: ['URL'],
    pattern:
      /^Failed to construct 'URL': |^URL constructor: [^\n]* is not a valid URL|^"[^\n]*" cannot be parsed as a URL|^Invalid URL$/,
  },
  {
    kind: 'illegal-invocation',
    contains: ['Illegal invocation', 'that does not implement interface', 'Can only call'],
    pattern:
      /^Illegal invocation$|^'[^'\n]*' called on an object that does not implement interface|^Can only call \S+ on instances of/,
  },

  // Python, for an error without a stack: with one, `pythonStrategy` decides. The quoted words are names in the code.
  {
    kind: 'no-attribute',
    contains: ['has no attribute'],
    pattern:
      /^(?:type object |module |partially initialized module )?'[^'\n]*'(?: object)? has no attribute '(?<name>\w+)'/,
  },
  {
    kind: 'not-defined',
    contains: ["' is not defined"],
    pattern: /^name '(?<name>\w+)' is not defined/,
  },
];
