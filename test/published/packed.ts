import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../packages/browser/', import.meta.url));

/** The SDK as it would be published, and a folder where it is installed from its tarball. */
export interface Packed {
  tarball: string;
  bytes: number;
  /** What somebody's project looks like who has installed it, and the frameworks. */
  project: string;
  /** The package inside of it. */
  folder: string;
  manifest: Manifest;
  remove(): Promise<void>;
}

interface Manifest {
  exports: Record<string, unknown>;
  dependencies?: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
}

/** What an app brings along that uses all adapters. */
const installed = ['react', 'react-dom', 'vue', 'svelte', '@types/react', '@types/react-dom'];

export async function pack(): Promise<Packed> {
  if (!existsSync(join(source, 'dist/index.js')))
    throw new Error('The SDK is not built: run `npm run setup` first, as `npm test` does.');
  const root = await mkdtemp(join(tmpdir(), 'service-packed-'));
  // It is built already, and to build it now would pull the files from under tests that run beside this one.
  const flags = ['--config.ignore-scripts=true', '--pack-destination', root];
  execFileSync('npx', ['-y', '-p', 'pnpm@10.34.9', 'pnpm', 'pack', ...flags], {
    cwd: source,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [name = ''] = await readdir(root);
  const tarball = join(root, name);
  const project = join(root, 'project');
  const folder = join(project, 'node_modules/@service/browser');
  await mkdir(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  await mkdir(join(project, 'node_modules/@types'));
  for (const dependency of installed)
    await symlink(join(source, 'node_modules', dependency), join(project, 'node_modules', dependency), 'junction');
  return {
    tarball,
    bytes: (await readFile(tarball)).length,
    project,
    folder,
    manifest: JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest,
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
