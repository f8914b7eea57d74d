import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFiles } from './hash-files.mjs';
import { clearStamp, readStamp, writeStamp } from './stamp.mjs';

/** @import { Package } from './packages.mjs' */

const stampName = 'installation';

/**
 * Returns true if the installation matches the lockfile and the manifests. pnpm writes its own lockfile into
 * `node_modules` last, so an interrupted installation does not match, nor a manual one from other manifests.
 * @param {string} root
 * @param {Package[]} packages
 */
function isInstalled(root, packages) {
  const { inputs, outputs } = readStamp(root, stampName) ?? {};
  return inputs === hashInputs(root, packages) && outputs === hashInstalled(root);
}

/**
 * Returns true if the packages for a purpose are installed. The demo needs fewer packages than the other examples.
 * @param {string} root
 * @param {Package[]} packages
 * @param {string} purpose `demo` or `examples`
 */
export function isReady(root, packages, purpose) {
  return isInstalled(root, packages) && (purpose === 'demo' || hasTestTools(root));
}

/**
 * Returns true if the test tools are installed. An installation without them would remove them.
 * @param {string} root
 */
export function hasTestTools(root) {
  const path = join(root, 'node_modules/.modules.yaml');
  if (!existsSync(path)) return false;
  // pnpm writes JSON, which is also YAML. If that changes, everything is installed, which is slower but correct.
  return !/"devDependencies": false/.test(readFileSync(path, 'utf8'));
}

/**
 * Installs with `run` and writes the stamp.
 * @param {string} root
 * @param {Package[]} packages
 * @param {() => void} run throws if the installation fails
 */
export function install(root, packages, run) {
  clearStamp(root, stampName);
  const inputs = hashInputs(root, packages);
  run();
  writeStamp(root, stampName, { inputs, outputs: hashInstalled(root) });
}

/**
 * @param {string} root
 * @param {Package[]} packages
 */
function hashInputs(root, packages) {
  const manifests = packages.map(({ folder }) => `${folder}/package.json`);
  const files = hashFiles(root, ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests]);
  // Some packages have a binary for each platform, and only one is installed.
  return `${files} ${process.platform} ${process.arch}`;
}

/** @param {string} root */
function hashInstalled(root) {
  return hashFiles(root, ['node_modules/.pnpm/lock.yaml']);
}
