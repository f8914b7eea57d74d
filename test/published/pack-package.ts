import { execFileSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packs a built package, into a folder of its name. Resolves with the path of the tarball. */
export async function packPackage(name: string, root: string): Promise<string> {
  const cwd = fileURLToPath(new URL(`../../packages/${name}/`, import.meta.url));
  const folder = join(root, name);
  await mkdir(folder);
  const flags = ['--config.ignore-scripts=true', '--pack-destination', folder];
  execFileSync('npx', ['-y', '-p', 'pnpm@10.34.9', 'pnpm', 'pack', ...flags], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [file = ''] = await readdir(folder);
  return join(folder, file);
}
