import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What a finished step has read and written, as hashes.
 * @typedef {{ inputs: string, outputs: string }} Stamp
 */

/**
 * Below `node_modules`, so that removing it makes everything start from nothing.
 * @param {string} root
 * @param {string} name
 */
function stampPath(root, name) {
  return join(root, 'node_modules/.setup', `${name.replace('/', '+')}.json`);
}

/**
 * Returns null if there is no stamp, or none that can be read: the step is then done again.
 * @param {string} root
 * @param {string} name
 * @returns {Stamp | null}
 */
export function readStamp(root, name) {
  try {
    return JSON.parse(readFileSync(stampPath(root, name), 'utf8'));
  } catch {
    return null;
  }
}

/**
 * @param {string} root
 * @param {string} name
 * @param {Stamp} stamp
 */
export function writeStamp(root, name, stamp) {
  const path = stampPath(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(stamp));
}

/**
 * Called before a step begins, so that an interrupted one is not taken for finished.
 * @param {string} root
 * @param {string} name
 */
export function clearStamp(root, name) {
  rmSync(stampPath(root, name), { force: true });
}
