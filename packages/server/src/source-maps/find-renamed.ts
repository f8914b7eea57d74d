import type { MapSource } from '../symbolication/maps.ts';

/** Of the shorter one of two files, so many of its lines stand in the other if they are one. */
const minShare = 0.5;
/** Too few lines say nothing: everybody writes them. */
const minLines = 3;
/** A line that stands in more files than this tells none of them apart. */
const maxFilesOfLine = 20;
/** So many candidates of a file are compared line by line, those that have most rare lines in common. */
const maxCompared = 5;
/** Of each side. What is more, or longer, is taken for new. */
const maxFiles = 2_000;
const maxBytes = 4 * 1024 * 1024;
const maxFileBytes = 512 * 1024;

/** What a file is made of: its lines, without those that tell what it uses rather than what it is. */
type Lines = ReadonlySet<string>;

interface Pair {
  appeared: MapSource;
  vanished: MapSource;
  share: number;
}

/**
 * Files that are the same under another name: at least half of the lines of the shorter one are equal. Each stands for
 * one other at most, the most similar first; of equally similar ones that of the same name.
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
  const keepsName = ({ appeared, vanished }: Pair): number => (nameOf(appeared.path) === nameOf(vanished.path) ? 0 : 1);
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

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

async function readLines(sources: readonly MapSource[]): Promise<Map<MapSource, Lines>> {
  const texts = new Map<MapSource, Lines>();
  let bytes = 0;
  for (const source of sources.slice(0, maxFiles)) {
    if (source.bytes > maxFileBytes || bytes + source.bytes > maxBytes) continue;
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

/** How many lines of the shorter one stand in the other. */
function shareOf(a: Lines, b: Lines): number {
  const [shorter, longer] = a.size <= b.size ? [a, b] : [b, a];
  let equal = 0;
  for (const line of shorter) if (longer.has(line)) equal++;
  return equal / shorter.size;
}
