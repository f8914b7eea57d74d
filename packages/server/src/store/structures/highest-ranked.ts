/** Returns the items with the highest ranks, highest first. The time grows linearly with the number of items. */
export function highestRanked<Item>(items: Iterable<Item>, max: number, rankOf: (item: Item) => number): Item[] {
  const found: Item[] = [];
  for (const item of items) {
    const last = found[max - 1];
    if (last !== undefined && rankOf(item) <= rankOf(last)) continue;
    const next = found.findIndex((other) => rankOf(other) < rankOf(item));
    found.splice(next < 0 ? found.length : next, 0, item);
    if (found.length > max) found.pop();
  }
  return found;
}
