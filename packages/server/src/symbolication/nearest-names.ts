/**
 * Returns the names that are most similar to a name. Similar names begin and end alike: to `app-5d0c.js`, `app-71ab.js`
 * is nearer than `vendor.js`.
 */
export function nearestNames(name: string, names: ReadonlySet<string>, max: number): string[] {
  const nearest: { other: string; likeness: number }[] = [];
  for (const other of names) {
    const likeness = likenessOf(name, other);
    const insertAt = nearest.findIndex(
      (one) => one.likeness < likeness || (one.likeness === likeness && other < one.other),
    );
    nearest.splice(insertAt < 0 ? nearest.length : insertAt, 0, { other, likeness });
    nearest.length = Math.min(nearest.length, max);
  }
  return nearest.map(({ other }) => other);
}

/** Returns the share of the longer name that both have in common at the beginning and the end. */
function likenessOf(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a[same] === b[same]) same++;
  let atEnd = 0;
  while (atEnd < shorter - same && a.at(-1 - atEnd) === b.at(-1 - atEnd)) atEnd++;
  return (same + atEnd) / Math.max(a.length, b.length, 1);
}
