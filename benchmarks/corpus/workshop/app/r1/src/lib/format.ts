/** Replaces `%s` and `%d` by the values, in order. */
export function format(text: string, ...values: unknown[]): string {
  let at = 0;
  return text.replace(/%[sd]/g, () => String(values[at++]));
}

/** Throws an error with a formatted message. */
export function raise(text: string, ...values: unknown[]): never {
  throw new Error(format(text, ...values));
}
