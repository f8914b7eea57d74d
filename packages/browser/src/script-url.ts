/** Returns the URL of the script in the innermost frame that has one. */
export function scriptUrl(stack: unknown): string | undefined {
  return /\b\w+:\/\/\S+?(?=:\d+:\d)/.exec(stack as string)?.[0];
}
