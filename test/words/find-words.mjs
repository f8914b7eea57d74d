// Finds words of the list in `words.mjs`.
import { exclusions, words } from './words.mjs';
import { readPieces } from './read-pieces.mjs';

/**
 * @typedef {import('./words.mjs').Entry} Entry
 * @typedef {import('./words.mjs').Exclusion} Exclusion
 * @typedef {import('./read-pieces.mjs').Kind} Kind
 * @typedef {{ path: string, line: number, kind: Kind | 'path', word: string, write: string }} Finding
 */

/**
 * @typedef {Entry & { inProse: RegExp | null, inNames: RegExp | null, wholeNames: Set<string> }} Compiled
 * @type {Compiled[]}
 */
const entries = words.map((entry) => ({
  ...entry,
  inProse: entry.prose ? new RegExp(`(?<![\\w$-])(?:${entry.prose.replaceAll(' ', '\\s+')})(?![\\w$-])`, 'gi') : null,
  inNames: entry.names ? new RegExp(`(?<![a-z\\d])(?:${entry.names})(?![a-z\\d])`) : null,
  wholeNames: new Set(entry.whole?.split('|')),
}));

const anyProse = new RegExp(
  entries.flatMap(({ inProse }) => (inProse ? [`(?:${inProse.source})`] : [])).join('|'),
  'i',
);

/**
 * Returns the findings in the text of a file. `used` collects the exclusions of words that were needed.
 * @param {string} path Relative to the root, with slashes.
 * @param {string} text
 * @param {Set<Exclusion>} [used]
 * @returns {Finding[]}
 */
export function findWords(path, text, used = new Set()) {
  if (exclusions.some((each) => !each.words && each.files.test(path))) return [];
  /** @type {Map<string, Finding>} */
  const findings = new Map();
  /** @type {(kind: Finding['kind'], line: number, word: string, entry: Entry) => void} */
  const add = (kind, line, word, { write }) => {
    const found = word.replaceAll(/\s+/g, ' ');
    const excluded = exclusions.find(
      ({ files, words: some }) => files.test(path) && some?.includes(found.toLowerCase()),
    );
    if (excluded) used.add(excluded);
    else findings.set(`${line} ${found}`, { path, line, kind, word: found, write });
  };

  for (const { kind, text: piece, line } of readPieces(path, text)) {
    if (kind === 'name') {
      for (const { word, entry } of badNames(piece, path)) add('name', line, word, entry);
    } else if (anyProse.test(piece)) {
      for (const entry of entries.filter((each) => appliesTo(each, path)))
        for (const { 0: word, index } of entry.inProse ? piece.matchAll(entry.inProse) : [])
          add(kind, line + piece.slice(0, index).split('\n').length - 1, word, entry);
    }
  }
  return [...findings.values()].toSorted((a, b) => a.line - b.line);
}

/**
 * Returns the findings in the name of a file and in those of its folders that are not in `seen`.
 * @param {string} path
 * @param {Set<string>} seen
 * @param {Set<Exclusion>} [used]
 * @returns {Finding[]}
 */
export function findWordsInPath(path, seen, used = new Set()) {
  /** @type {Finding[]} */
  const findings = [];
  const names = path.split('/');
  for (const [depth, name] of names.entries()) {
    const folder = names.slice(0, depth + 1).join('/');
    if (seen.has(folder)) continue;
    seen.add(folder);
    const excludes = exclusions.filter(({ files }) => files.test(depth < names.length - 1 ? `${folder}/` : path));
    if (excludes.some((each) => !each.words)) break;
    for (const { word, entry } of badNames(name.replace(/\..*/, ''), path)) {
      const excluded = excludes.find((each) => each.words?.includes(word.toLowerCase()));
      if (excluded) used.add(excluded);
      else findings.push({ path, line: 1, kind: 'path', word, write: entry.write });
    }
  }
  return findings;
}

/**
 * @param {string} code An identifier, a name of a file, or code in backticks.
 * @param {string} path
 */
function badNames(code, path) {
  /** @type {{ word: string, entry: Entry }[]} */
  const bad = [];
  for (const [name] of code.matchAll(/[\w$-]+/g)) {
    const entry = entriesFor(name).find((each) => appliesTo(each, path));
    if (entry) bad.push({ word: name, entry });
  }
  return bad;
}

/** A cache, because most names occur in many files. @type {Map<string, Entry[]>} */
const entriesByName = new Map();

/** @param {string} name */
function entriesFor(name) {
  let found = entriesByName.get(name);
  if (!found) {
    const parts = partsOf(name);
    const camel = name.replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase());
    found = entries.filter(
      ({ inNames, wholeNames }) => inNames?.test(parts) || wholeNames.has(name) || wholeNames.has(camel),
    );
    entriesByName.set(name, found);
  }
  return found;
}

/** @type {(entry: Entry, path: string) => boolean} */
function appliesTo({ within }, path) {
  return !within || within.test(path);
}

/**
 * Returns the words of a name: `mostOldReports`, `MOST_OLD_REPORTS` and `most-old-reports` are `most old reports`.
 * @param {string} name
 */
export function partsOf(name) {
  return name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .replaceAll(/[^a-zA-Z\d]+/g, ' ')
    .trim()
    .toLowerCase();
}
