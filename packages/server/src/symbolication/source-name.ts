/** A name that stays the same: folders and a file, none of them `.` or `..` but at the beginning, of plain characters. */
const plain = /^(?:\.\.\/)*(?:(?!\.\.?\/)[\w@.~!$&'()*+,;=-]+\/)*(?!\.\.?$)[\w@.~!$&'()*+,;=-]+$/;

/**
 * What a source is called: its name in the map, joined with what the map's names are relative to and without detours, as
 * `source-map` has it. A name to be shown, never a path to be opened.
 */
export async function sourceName(name: string, sourceRoot: string): Promise<string> {
  if (sourceRoot === '' && plain.test(name)) return name;
  const { SourceMapConsumer } = await import('source-map');
  const map = { version: 3, sources: [name], names: [], mappings: '', ...(sourceRoot !== '' && { sourceRoot }) };
  // What is no URL in the end, such as `https://[`, is told as it is.
  return SourceMapConsumer.with(map as never, null, ({ sources }) => sources[0] ?? name).catch(() => name);
}
