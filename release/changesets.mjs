// Reads the files of .changeset. `changeset version` itself is not used: it raises the major version of all packages,
// because two of them have an exact peer dependency on others.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {'major' | 'minor' | 'patch'} Bump */
/** @typedef {{ file: string, bump: Bump, text: string }} Changeset */

/** The bumps, largest first, with their heading in the changelog. */
const headings = /** @type {const} */ ({ major: 'Breaking changes', minor: 'Added', patch: 'Fixed' });
const bumps = /** @type {Bump[]} */ (Object.keys(headings));

/** @param {string} folder @returns {Changeset[]} */
export function readChangesets(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
    .map((name) => ({ file: join(folder, name), ...parseChangeset(readFileSync(join(folder, name), 'utf8')) }));
}

/**
 * Throws if the text names no package, or a package without one of the three bumps.
 *
 * @param {string} source
 */
export function parseChangeset(source) {
  const [, header = '', text = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(source) ?? [];
  const named = header.split('\n').map((line) => /^['"]@service\/[\w-]+['"]: (major|minor|patch)$/.exec(line)?.[1]);
  const bump = largestOf(named.filter((one) => one !== undefined));
  if (!bump || named.includes(undefined)) throw new Error(`A changeset names packages and bumps, not:\n${source}`);
  return { bump, text: text.trim() };
}

/** @param {(string | undefined)[]} among */
export const largestOf = (among) => bumps.find((bump) => among.includes(bump));

/** @param {string} version @param {Bump} bump */
export function nextVersion(version, bump) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (bump === 'major') return `${major + 1}.0.0`;
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/**
 * Returns the section of a version, with the text that was below "Unreleased" first.
 *
 * @param {string} version
 * @param {string} date
 * @param {string} unreleased
 * @param {Changeset[]} changesets
 */
export function changelogSection(version, date, unreleased, changesets) {
  const parts = bumps.flatMap((bump) => {
    const texts = changesets.filter((one) => one.bump === bump).map(({ text }) => `- ${text.replaceAll('\n', '\n  ')}`);
    return texts.length > 0 ? [`### ${headings[bump]}\n\n${texts.join('\n')}`] : [];
  });
  return [`## ${version} (${date})`, ...(unreleased ? [unreleased] : []), ...parts].join('\n\n');
}
