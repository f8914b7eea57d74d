/** The script of the innermost call of a stack that tells one, else an empty text. */
export function fileOf(stack: string): string {
  return /[\w-]{2,30}:\/\/\S*?(?=:\d+:\d)/.exec(stack)?.[0] ?? '';
}
