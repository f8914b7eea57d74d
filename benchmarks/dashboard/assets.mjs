import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * Returns the total size of the scripts and of the style sheets that index.html loads, in bytes. Each file is
 * compressed with gzip. Other scripts are loaded by the screens that need them.
 *
 * @param {string} clone the root of a built clone
 */
export function weighAssets(clone) {
  const folder = join(clone, 'packages/server/public/dashboard');
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = Array.from(page.matchAll(/"(\/assets\/[^"]+)"/g), ([, path = '']) => path);
  return { js: weigh(folder, files, '.js'), css: weigh(folder, files, '.css') };
}

/**
 * @param {string} folder
 * @param {string[]} files
 * @param {string} ending
 */
function weigh(folder, files, ending) {
  return files
    .filter((file) => file.endsWith(ending))
    .reduce((bytes, file) => bytes + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);
}
