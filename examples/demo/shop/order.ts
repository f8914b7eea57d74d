/** Throws an error with a cause. */
export function saveOrder(): void {
  try {
    parseOrder('{"articles": [');
  } catch (cause) {
    throw new Error('The order could not be saved', { cause });
  }
}

function parseOrder(text: string): unknown {
  return JSON.parse(text);
}
