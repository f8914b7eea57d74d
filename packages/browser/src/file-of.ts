/** The script of the innermost call of a stack that tells one. */
export function fileOf(stack: unknown): string | undefined {
  return /\b\w+:\/\/\S+?(?=:\d+:\d)/.exec(stack as string)?.[0];
}
