/**
 * Returns the addresses without repetitions, in their order. Of addresses that differ only in case, keeps the first.
 */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const address of addresses) {
    const key = address.toLowerCase();
    if (!first.has(key)) first.set(key, address);
  }
  return [...first.values()];
}

/** Returns whether two addresses are the same except for case. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
