import type { MapSource } from '../symbolication/map-reader.ts';

/** Two files are the same if the longer one contains this share of the lines of the shorter one. */
const minShare = 0.5;
/** Shorter files match others by chance. */
const minLines = 3;
/** A line in more files than this does not distinguish them. */
const maxFilesOfLine = 20;
/** The number of candidates of a file that are compared line by line: those with the most rare lines in common. */
const maxCompared = 5;
/** Limits of each side. Files beyond them count as new. */
const maxFiles = 2_000;
const maxComparedBytes = 4 * 1024 * 1024;
const maxFileBytes = 512 * 1024;

/** The distinct lines of a file, without its imports, which unrelated files share. */
type Lines = ReadonlySet<string>;

interface Pair {
  appeared: MapSource;
  vanished: MapSource;
  share: number;
}

/**
 * Returns the former path of each renamed file. Two files are the same if at least half of the lines of the shorter one
 * are equal. Each file is used at most once: the most similar pairs first, and of equally similar ones the pair with
 * the same name.
 */
export async function findRenamed(
  appeared: readonly MapSource[],
  vanished: readonly MapSource[],
): Promise<Map<string, string>> {
  const renamed = new Map<string, string>();
  if (appeared.length === 0 || vanished.length === 0) return renamed;
  const taken = new Set<string>();
  acceptPairs(equalPairs(appeared, vanished), renamed, taken);
  const rest = appeared.filter(({ path }) => !renamed.has(path));
  const left = vanished.filter(({ path }) => !taken.has(path));
  if (rest.length > 0 && left.length > 0) acceptPairs(await similarPairs(rest, left), renamed, taken);
  return renamed;
}

function equalPairs(appeared: readonly MapSource[], vanished: readonly MapSource[]): Pair[] {
  const byHash = new Map<string, MapSource[]>();
  for (const source of vanished) addTo(byHash, source.hash, source);
  return appeared.flatMap((source) =>
    (byHash.get(source.hash) ?? [])
      .slice(0, maxFilesOfLine)
      .map((same) => ({ appeared: source, vanished: same, share: 1 })),
  );
}

async function similarPairs(appeared: readonly MapSource[], vanished: readonly MapSource[]): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const texts = await readLines(vanished);
  const byLine = new Map<string, MapSource[]>();
  for (const [source, lines] of texts) for (const line of lines) addTo(byLine, line, source);
  for (const [source, lines] of await readLines(appeared)) {
    for (const candidate of candidatesOf(lines, byLine)) {
      const share = shareOf(lines, texts.get(candidate) as Lines);
      if (share >= minShare) pairs.push({ appeared: source, vanished: candidate, share });
    }
    await new Promise(setImmediate);
  }
  return pairs;
}

function acceptPairs(pairs: readonly Pair[], renamed: Map<string, string>, taken: Set<string>): void {
  for (const { appeared, vanished } of pairs.toSorted(bySimilarity)) {
    if (renamed.has(appeared.path) || taken.has(vanished.path)) continue;
    renamed.set(appeared.path, vanished.path);
    taken.add(vanished.path);
  }
}

function bySimilarity(a: Pair, b: Pair): number {
  const keepsName = ({ appeared, vanished }: Pair): number =>
    fileNameOf(appeared.path) === fileNameOf(vanished.path) ? 0 : 1;
  return (
    b.share - a.share ||
    keepsName(a) - keepsName(b) ||
    compareTexts(a.appeared.path, b.appeared.path) ||
    compareTexts(a.vanished.path, b.vanished.path)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

async function readLines(sources: readonly MapSource[]): Promise<Map<MapSource, Lines>> {
  const texts = new Map<MapSource, Lines>();
  let bytes = 0;
  for (const source of sources.slice(0, maxFiles)) {
    if (source.bytes > maxFileBytes || bytes + source.bytes > maxComparedBytes) continue;
    bytes += source.bytes;
    const text = await source.text();
    const lines = linesOf(text ?? '');
    if (lines.size >= minLines) texts.set(source, lines);
    await new Promise(setImmediate);
  }
  return texts;
}

function linesOf(text: string): Lines {
  const lines = text.split('\n').map((line) => line.trim());
  return new Set(lines.filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^(?:import|export \*|\} from)\b/.test(line)));
}

function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

function candidatesOf(lines: Lines, byLine: ReadonlyMap<string, MapSource[]>): MapSource[] {
  const counts = new Map<MapSource, number>();
  for (const line of lines) {
    const files = byLine.get(line) ?? [];
    if (files.length > maxFilesOfLine) continue;
    for (const file of files) counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, maxCompared)
    .map(([file]) => file);
}

/** Returns the share of the shorter file's lines that the other file contains. */
function shareOf(a: Lines, b: Lines): number {
  const [shorter, longer] = a.size <= b.size ? [a, b] : [b, a];
  let equal = 0;
  for (const line of shorter) if (longer.has(line)) equal++;
  return equal / shorter.size;
}
