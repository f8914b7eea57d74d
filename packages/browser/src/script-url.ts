/** Returns the URL of the script in the innermost frame that has one. Takes linear time, because words have one start. */
export function scriptUrl(stack = ''): string | undefined {
  return /\b\w+:\/\/\S+?(?=:\d+:\d)/.exec(stack)?.[0];
}
