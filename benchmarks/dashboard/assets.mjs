import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, '../../packages/server/public/dashboard');

/**
 * Returns the sizes of the files of the first load with gzip, in bytes. Other scripts are loaded by the screens that
 * need them.
 */
export function weighAssets() {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = Array.from(page.matchAll(/"(\/assets\/[^"]+)"/g), ([, path = '']) => path);
  return { js: weigh(files, '.js'), css: weigh(files, '.css') };
}

/**
 * @param {string[]} files
 * @param {string} ending
 */
function weigh(files, ending) {
  return files
    .filter((file) => file.endsWith(ending))
    .reduce((bytes, file) => bytes + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);
}
