import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryVersion } from '../../packages/server/src/store/records/entry.ts';

const built = fileURLToPath(new URL('../../packages/server', import.meta.url));

/**
 * Copies the built server as a version with the next format of entries. Returns its program and a function that removes
 * its folder.
 */
export function createNextVersion(): { program: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'service-next-'));
  for (const part of ['bin', 'dist', 'public', 'package.json'])
    cpSync(join(built, part), join(folder, part), { recursive: true });
  symlinkSync(join(built, 'node_modules'), join(folder, 'node_modules'));
  let changed = 0;
  for (const name of readdirSync(join(folder, 'dist'))) {
    if (!name.endsWith('.js')) continue;
    const file = join(folder, 'dist', name);
    const text = readFileSync(file, 'utf8');
    const next = text.replace(`var entryVersion = ${entryVersion};`, `var entryVersion = ${entryVersion + 1};`);
    if (next === text) continue;
    writeFileSync(file, next);
    changed++;
  }
  if (changed === 0) throw new Error('The built server has no entryVersion. Build it again.');
  return { program: join(folder, 'bin', 'service-server.js'), remove: () => rmSync(folder, { recursive: true }) };
}
