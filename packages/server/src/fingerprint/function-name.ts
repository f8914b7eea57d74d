/**
 * Returns the part of a function name that all engines report: the last word. V8 adds the receiver (`Cart.total`,
 * `HTMLButtonElement.<anonymous>`, `new Cart`, `Object.go [as run]`). SpiderMonkey adds the enclosing functions
 * (`load/items</<`, where `<` marks a function without a name). Returns null for code without a name.
 */
export function bareName(name: string | null): string | null {
  if (name === null || name.endsWith('<') || /^(?:global|eval|module) code$/.test(name)) return null;
  const alias = name.indexOf(' [as ');
  const called = alias === -1 ? name : name.slice(0, alias);
  const word = called.slice(Math.max(called.lastIndexOf('.'), called.lastIndexOf('/'), called.lastIndexOf(' ')) + 1);
  // `<anonymous>`, `<instance_members_initializer>`; Python's `<lambda>`.
  if (word === '' || word === 'anonymous' || (word.startsWith('<') && word.endsWith('>'))) return null;
  return word.replace(/^#/, '');
}

/**
 * Returns whether a name may come from a minifier. Such names differ between builds. A name of up to three characters
 * always may: losing `add` costs less than keeping `aBc`. One of four or five may if it has a digit or a `$`, or no
 * vowel.
 */
export function isMinifiedName(name: string): boolean {
  if (name.length <= 3) return true;
  if (name.length > 5) return false;
  return /[$\d]/.test(name) || !/[aeiouy]/i.test(name);
}

/** Functions that throw for their callers, by name: `requireUser`, `assertOpen`, `must`, `findOrThrow`. */
const guardFunction =
  /^(?:(?:require|ensure|must|expect|assert|raise|fail|abort|demand|enforce|need|guard|throw|unwrap)(?:[A-Z_]\w{0,60})?|check|verify|validate|invariant|\w{1,60}Or(?:Throw|Fail|Die))$/;

/** Returns whether the name of a function shows that it checks something for its callers. */
export function isGuardName(name: string): boolean {
  return guardFunction.test(name);
}

/** The end of a name that the resolver made from a call: `install.on('begin')`. See `name-functions.ts`. */
const registrations = /(?:^|\.)[\w$]+\('[^'\n]+'\)(?:\.<anonymous>)*$/;

/** Returns the name by the rules of version 1, by which a function that is passed to a call has none. */
export function withoutRegistration(name: string | null): string | null {
  let plain = name;
  while (plain !== null && registrations.test(plain)) plain = plain.replace(registrations, '') || null;
  return plain;
}
