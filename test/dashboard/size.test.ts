import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const assets = fileURLToPath(new URL('../../packages/server/public/dashboard/assets/', import.meta.url));

/** Bytes of all files with this ending, each packed as a server would that has no better way. */
function gzipBytes(ending: string): number {
  const files = readdirSync(assets).filter((file) => file.endsWith(ending));
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(assets + file), { level: 9 }).length, 0);
}

test.each([
  // Texts and features for people need the room.
  ['.js', 32_000],
  ['.css', 5_000],
])('all %s of the dashboard is at most %i bytes, packed', (ending, most) => {
  const bytes = gzipBytes(ending);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(most);
});
