/** Returns a text as one word of a POSIX shell, for a command that a person copies. */
export function shellWord(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
