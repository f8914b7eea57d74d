/// <reference types="node" />
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../', import.meta.url));

/** The SDK as it would be published, and a folder with its tarball installed. */
export interface Packed {
  tarball: string;
  bytes: number;
  /** A project with the SDK and the frameworks installed. */
  project: string;
  /** The package inside the project. */
  folder: string;
  manifest: Manifest;
  remove(): Promise<void>;
}

interface Manifest {
  version: string;
  exports: Record<string, unknown>;
  dependencies?: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
}

/**
 * The dependencies of an app that uses the adapters of React, Vue and Svelte. The other adapters import no framework.
 */
const installed = ['react', 'react-dom', 'vue', 'svelte', '@types/react', '@types/react-dom'];

export async function pack(): Promise<Packed> {
  if (!existsSync(join(source, 'dist/index.js'))) throw new Error('The SDK is not built: run `npm run setup` first.');
  const root = await mkdtemp(join(tmpdir(), 'service-packed-'));
  // The SDK is already built. A build now would remove its files while other tests use them.
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
