import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The hashes of the inputs and outputs of a completed step.
 * @typedef {{ inputs: string, outputs: string }} Stamp
 */

/**
 * Returns the path of a stamp. It is below `node_modules`, so that removing that folder resets everything.
 * @param {string} root
 * @param {string} name
 */
function stampPath(root, name) {
  return join(root, 'node_modules/.setup', `${name.replace('/', '+')}.json`);
}

/**
 * Reads a stamp. Returns null if it is missing or unreadable, so that the step is repeated.
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
 * Deletes a stamp. Called before a step starts, so that an interrupted step does not count as completed.
 * @param {string} root
 * @param {string} name
 */
export function clearStamp(root, name) {
  rmSync(stampPath(root, name), { force: true });
}
