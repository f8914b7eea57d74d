import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotBuiltError } from './explain-failure.mjs';

/**
 * The built shop: a minified script, and the source map to its TypeScript.
 * @typedef {object} Shop
 * @property {string} release
 * @property {string} page the HTML of the page, with placeholders
 * @property {string} style
 * @property {string} script
 * @property {string} scriptPath the path that serves the script
 * @property {string} scriptMap
 */

/**
 * @param {string} folder the folder of the demo
 * @returns {Shop}
 */
export function readShop(folder) {
  /** @param {...string} path */
  const read = (...path) => readFileSync(join(folder, ...path), 'utf8');
  const file = findScript(join(folder, 'dist'));
  return {
    release: JSON.parse(read('package.json')).version,
    page: read('page', 'demo.html'),
    style: read('page', 'demo.css'),
    script: read('dist', file),
    scriptPath: `/demo/assets/${file}`,
    scriptMap: read('dist', `${file}.map`),
  };
}

/** @param {string} folder */
function findScript(folder) {
  try {
    const file = readdirSync(folder).find((name) => /^shop-.+\.js$/.test(name));
    if (file) return file;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  throw new NotBuiltError(
    'The shop is not built yet. Run npm start at the root of the repository, which builds first.',
  );
}
