/**
 * Returns a pattern that matches exactly this text, for a regular expression without the flags `u` and `v`. Even the
 * name of a function may contain any character, as `'a(b'() {}` does.
 */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/\W/g, String.raw`\$&`);
}
