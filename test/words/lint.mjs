// `pnpm lint:words`: reports words of `words.mjs` in names, comments, texts and test titles. Exits with 1
// if there are any, or if an exclusion of `words.mjs` is not needed.
// `node test/words/lint.mjs PATH…` reads only these files and folders. `--summary` prints counts per folder. Paths are
// relative to the root, so it must run there.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findWords, findWordsInPath } from './find-words.mjs';
import { isReadable } from './read-pieces.mjs';
import { exclusions } from './words.mjs';

const { values, positionals } = parseArgs({ options: { summary: { type: 'boolean' } }, allowPositionals: true });

const paths = listFiles(positionals);
const { used, findings } = lint(paths);
if (values.summary)
  for (const [folder, count] of countsByFolder(findings)) console.log(`${`${count}`.padStart(6)}  ${folder}`);
else
  for (const { path, line, word, write } of findings) console.log(`${path}:${line}: "${word}": write ${write} instead`);

const unused = exclusions.filter(
  (each) => each.words && !used.has(each) && positionals.length === 0 && paths.some((path) => each.files.test(path)),
);
for (const { files, words } of unused)
  console.log(`test/words/words.mjs: the exclusion ${files} of ${words?.join(', ')} is not needed: remove it`);
const count = `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`;
if (findings.length > 0) console.error(`\n${count}. test/words/words.mjs has the list.`);
if (findings.length + unused.length > 0) process.exit(1);

/** @param {string[]} wanted None means all. */
function listFiles(wanted) {
  // Read new files before they are committed. Git also lists files that are deleted and not yet committed.
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', ...wanted];
  const { status, stdout, stderr } = spawnSync('git', args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`git ls-files failed: ${stderr}`);
  return stdout.split('\0').filter((path) => path !== '' && existsSync(path));
}

/** @param {string[]} files */
function lint(files) {
  /** @type {Set<import('./words.mjs').Exclusion>} */
  const seenExclusions = new Set();
  /** @type {Set<string>} */
  const seenPaths = new Set();
  const found = files.flatMap((path) => [
    ...findWordsInPath(path, seenPaths, seenExclusions),
    ...(isReadable(path) ? findWords(path, readFileSync(path, 'utf8'), seenExclusions) : []),
  ]);
  return { used: seenExclusions, findings: found };
}

/**
 * A folder counts to a depth of four, as in `packages/server/src/stream`.
 * @param {import('./find-words.mjs').Finding[]} all
 */
function countsByFolder(all) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { path } of all) {
    const folder = path.split('/').slice(0, -1).slice(0, 4).join('/') || '.';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}
