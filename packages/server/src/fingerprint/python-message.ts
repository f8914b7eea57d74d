/**
 * Complaints that all versions of Python and PyPy have in a message. A complaint distinguishes errors of one function
 * whose messages contain no name from its source.
 */
const complaints: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['too many values', /^too many values to unpack/],
  ['not enough values', /^not enough values to unpack/],
  ['not callable', /is not callable$/],
  ['not subscriptable', /is not subscriptable\b/],
  ['not iterable', /is not iterable$|^cannot unpack non-iterable/],
  ['unhashable', /\bunhashable\b/],
  ['missing argument', /missing \d+ required (?:positional|keyword-only) argument/],
  ['too many arguments', /\btakes .{1,60} positional arguments? but\b|\btakes no arguments\b/],
  ['unexpected argument', /got an unexpected keyword argument/],
  ['not comparable', /not supported between instances of/],
];

/** Hints that newer versions, and PyPy, add to a message. */
const hint = /[.;]? ?(?:Did you (?:mean|forget)\b|\(consider renaming |\(key ['"]).*$/s;
/** Messages of which only some versions contain the name of the attribute or method. */
const unnamed = /^can't (?:set|delete) attribute|has no (?:setter|deleter)$|^Can't instantiate abstract class /;
// PyPy names types without their module.
const namePattern =
  /['"](?:[\p{L}_][\p{L}\p{N}_]{0,60}\.){0,5}([\p{L}_][\p{L}\p{N}_]{0,60})['"]|(?<![\p{L}\p{N}_])([\p{L}_][\p{L}\p{N}_]{0,60})\(\)/gu;
const onlyName = /^[\p{L}_][\p{L}\p{N}_]{0,60}$/u;
/** Python's own types and functions. Messages name the type of a value; some interpreters name the function too. */
const builtinNames = new Set(
  `NoneType abs all any bool bytearray bytes chr complex dict divmod enumerate filter float frozenset function generator
  getattr hash int isinstance issubclass iter len list map max memoryview method min module next object open ord pow
  property range reversed round set setattr slice sorted str sum super tuple type zip`.split(/\s+/),
);
const maxReadChars = 400;

/** A name in a message of the interpreter. A quoted one may also be a value. */
export interface MessageName {
  text: string;
  isQuoted: boolean;
}

/** Returns the names in a message that may be names in the code, if all versions of the message contain them. */
export function messageNames(message: string): MessageName[] {
  if (unnamed.test(message)) return [];
  // Before Python 3.10, a message about an attribute in `__slots__` is only the name of the attribute.
  if (onlyName.test(message)) return [{ text: message, isQuoted: true }];
  return [...withoutHint(message).slice(0, maxReadChars).matchAll(namePattern)].flatMap(([, quoted, called]) => {
    const text = quoted ?? called ?? '';
    return builtinNames.has(text) ? [] : { text, isQuoted: quoted !== undefined };
  });
}

/** Returns what a message complains about, or null if versions may word it differently. */
export function complaintOf(message: string): string | null {
  const text = withoutHint(message).slice(0, maxReadChars);
  return complaints.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

/** Removes what only some versions add to a message. Since Python 3.10, messages name methods with their class. */
export function withoutVersion(message: string): string {
  return withoutHint(message).replace(/\b(?:\w{1,60}\.){1,5}(\w{1,60}\(\))/g, '$1');
}

function withoutHint(message: string): string {
  return message.replace(hint, '');
}
