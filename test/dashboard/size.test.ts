import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const assets = fileURLToPath(new URL('../../packages/server/public/dashboard/assets/', import.meta.url));

const allFiles = readdirSync(assets);

/** The files that index.html names. None of them imports another one, except on demand. */
const firstLoad = Array.from(
  readFileSync(new URL('../../packages/server/public/dashboard/index.html', import.meta.url), 'utf8').matchAll(
    /"\/assets\/([^"]+)"/g,
  ),
  ([, file = '']) => file,
);

/** Returns the total size of the files with this ending, each compressed with gzip. */
function gzipBytes(files: readonly string[], ending: string): number {
  return files
    .filter((file) => file.endsWith(ending))
    .reduce((sum, file) => sum + gzipSync(readFileSync(assets + file), { level: 9 }).length, 0);
}

test.each([
  ['first load', firstLoad, '.js', 32_000],
  ['first load', firstLoad, '.css', 5_000],
  ['whole dashboard', allFiles, '.js', 44_500],
  ['whole dashboard', allFiles, '.css', 5_000],
])('the %s has a limited size with gzip: %3$s files, at most %4$i bytes', (_what, files, ending, maxBytes) => {
  const bytes = gzipBytes(files, ending);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
});

test('the scripts of the first load import no other script, except on demand', () => {
  for (const file of firstLoad.filter((name) => name.endsWith('.js')))
    expect(readFileSync(assets + file, 'utf8')).not.toMatch(/(^|[;}])\s*(import|export)\b[^(][^;]*["']\.\//);
});
