/** A name that needs no change: folders and a file of plain characters. `..` occurs only at the beginning. */
const plainName = /^(?:\.\.\/)*(?:(?!\.\.?\/)[\w@.~!$&'()*+,;=-]+\/)*(?!\.\.?$)[\w@.~!$&'()*+,;=-]+$/;

/**
 * Returns the full name of a source: its name in the map, joined with the source root, without `./` and `../` parts, as
 * `source-map` returns it. A name for display, never a path to open.
 */
export async function sourceName(name: string, sourceRoot: string): Promise<string> {
  if (sourceRoot === '' && plainName.test(name)) return name;
  const { SourceMapConsumer } = await import('source-map');
  const map = { version: 3, sources: [name], names: [], mappings: '', ...(sourceRoot !== '' && { sourceRoot }) };
  // A result that is not a URL, such as `https://[`, is shown unchanged.
  return SourceMapConsumer.with(map as never, null, ({ sources }) => sources[0] ?? name).catch(() => name);
}
