/** Those of some names that are most like one: that begin and end as it does, `app-71ab.js` rather than `vendor.js`. */
export function nearestNames(name: string, names: readonly string[], most: number): string[] {
  const likeness = new Map(names.map((other) => [other, likenessOf(name, other)]));
  return [...likeness.keys()]
    .toSorted((a, b) => (likeness.get(b) ?? 0) - (likeness.get(a) ?? 0) || (a < b ? -1 : 1))
    .slice(0, most);
}

/** How much of the longer one stands at the same place in both, from the beginning or from the end. */
function likenessOf(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a[same] === b[same]) same++;
  let atEnd = 0;
  while (atEnd < shorter - same && a.at(-1 - atEnd) === b.at(-1 - atEnd)) atEnd++;
  return (same + atEnd) / Math.max(a.length, b.length, 1);
}
