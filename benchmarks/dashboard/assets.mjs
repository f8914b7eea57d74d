import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, '../../packages/server/public/dashboard/assets');

/** Returns the bytes of all chunks of the built page, each compressed separately. */
export function weighAssets() {
  return { js: weigh('.js'), css: weigh('.css') };
}

/** @param {string} ending */
function weigh(ending) {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .reduce((bytes, file) => bytes + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);
}
