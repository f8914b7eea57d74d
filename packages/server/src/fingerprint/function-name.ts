/**
 * What the engines agree on in the names they tell: the last word. V8 tells the receiver (`Cart.total`,
 * `HTMLButtonElement.<anonymous>`, `new Cart`, `Object.go [as run]`), SpiderMonkey what encloses
 * (`load/items</<`, where `<` marks a function without a name). Null for code without a name.
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
 * Whether a name may be a minifier's, which differs from build to build and so never enters a key. Up to three letters
 * that cannot be told from real ones, and losing `add` costs less than keeping `aBc`.
 */
export function isMinifiedName(name: string): boolean {
  if (name.length <= 3) return true;
  if (name.length > 5) return false;
  return /[$\d]/.test(name) || !/[aeiouy]/i.test(name);
}
