/** The smallest share that similar names have in common: `app.js` and `app-71ab90ef.js` are similar. */
const minSimilarity = 0.2;

/**
 * Returns the file names that are most similar to a name, without those that are not similar. Similar names begin and
 * end alike: `app-71ab.js` is more similar to `app-5d0c.js` than `vendor.js`.
 */
export function similarFiles(name: string, names: ReadonlySet<string>, max: number): string[] {
  const found: { other: string; similarity: number }[] = [];
  for (const other of names) {
    const similarity = nameSimilarity(withoutExtension(name), withoutExtension(other));
    if (similarity < minSimilarity) continue;
    const insertAt = found.findIndex(
      (one) => one.similarity < similarity || (one.similarity === similarity && other < one.other),
    );
    found.splice(insertAt < 0 ? found.length : insertAt, 0, { other, similarity });
    found.length = Math.min(found.length, max);
  }
  return found.map(({ other }) => other);
}

const withoutExtension = (name: string): string => name.replace(/(?<=.)\.\w+$/, '');

/** Returns the share of the longer name that both have in common at the beginning and the end. */
function nameSimilarity(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a[same] === b[same]) same++;
  let atEnd = 0;
  while (atEnd < shorter - same && a.at(-1 - atEnd) === b.at(-1 - atEnd)) atEnd++;
  return (same + atEnd) / Math.max(a.length, b.length, 1);
}
