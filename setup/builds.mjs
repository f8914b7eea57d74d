import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFiles } from './hash-files.mjs';
import { clearStamp, readStamp, writeStamp } from './stamp.mjs';

/** @import { Package } from './packages.mjs' */

/**
 * Returns the packages whose build is missing, incomplete, changed by hand, or older than their sources.
 * @param {string} root
 * @param {Package[]} packages
 * @returns {Package[]}
 */
export function staleBuilds(root, packages) {
  const inputs = hashInputs(root, packages);
  return packages.filter(({ name, outputs }) => {
    if (outputs.length === 0) return false;
    const stamp = readStamp(root, name);
    return stamp?.inputs !== inputs.get(name) || stamp?.outputs !== hashFiles(root, outputs);
  });
}

/**
 * Builds the selected packages with `run` and writes their stamps. The inputs are hashed before the build, so that a
 * source that changes during the build makes the result stale.
 * @param {string} root
 * @param {Package[]} packages
 * @param {Package[]} selected
 * @param {(selected: Package[]) => void} run throws if a build fails
 */
export function build(root, packages, selected, run) {
  const inputs = hashInputs(root, packages);
  for (const { name } of selected) clearStamp(root, name);
  run(selected);
  for (const { name, outputs } of selected)
    writeStamp(root, name, { inputs: inputs.get(name) ?? '', outputs: hashFiles(root, outputs) });
}

const ignoredNames = new Set(['node_modules', 'dist', 'test', 'coverage', '.service-data', '.DS_Store']);

/**
 * Hashes the inputs of the build of each package: its files, those of its workspace dependencies, and the shared
 * configuration.
 * @param {string} root
 * @param {Package[]} packages
 * @returns {Map<string, string>}
 */
function hashInputs(root, packages) {
  const outputs = new Set(packages.flatMap((one) => one.outputs));
  /** @param {string} path */
  const isIgnored = (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return ignoredNames.has(name) || /\.(?:log|tgz)$/.test(name) || outputs.has(path);
  };
  const shared = hashFiles(root, ['pnpm-lock.yaml', 'tsconfig.base.json']);
  const own = new Map(
    packages.map(({ name, folder, inputs = [] }) => [name, hashFiles(root, [folder, ...inputs], isIgnored)]),
  );
  return new Map(
    packages.map((one) => {
      const read = [...withDependencies(root, packages, one)].toSorted();
      return [one.name, [shared, ...read.map((name) => own.get(name))].join(' ')];
    }),
  );
}

/**
 * @param {string} root
 * @param {Package[]} packages
 * @param {Package} one
 * @returns {Set<string>} the name of the package and of its workspace dependencies, recursively
 */
function withDependencies(root, packages, one) {
  const found = new Set([one.name]);
  for (const name of found) {
    const folder = packages.find((other) => other.name === name)?.folder;
    const manifest = JSON.parse(readFileSync(join(root, String(folder), 'package.json'), 'utf8'));
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    for (const [dependency, version] of all) if (String(version).startsWith('workspace:')) found.add(dependency);
  }
  return found;
}
