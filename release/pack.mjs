import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));

/** @typedef {{ name: string, version: string, private?: boolean, bin?: object, exports?: Record<string, unknown> }} Manifest */
/** @typedef {{ folder: string, manifest: Manifest, tarball: string }} PackedPackage */

/** Returns the folders of the packages that are published on npm. */
function publicPackages() {
  return readdirSync(packages)
    .map((name) => join(packages, name))
    .filter((folder) => existsSync(join(folder, 'package.json')) && !manifestOf(folder).private);
}

/**
 * Reads the package.json of a folder.
 *
 * @param {string} folder
 * @returns {Manifest}
 */
export function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Packs the published packages, as they are built, into a folder.
 *
 * @param {string} target
 * @returns {Promise<PackedPackage[]>}
 */
export async function packAll(target) {
  const packed = [];
  for (const folder of publicPackages()) {
    const manifest = manifestOf(folder);
    if (!existsSync(join(folder, 'dist')))
      throw new Error(`${manifest.name} is not built: run \`npm run setup\` first.`);
    const flags = ['--config.ignore-scripts=true', '--pack-destination', target];
    await run('npx', ['-y', '-p', 'pnpm@10.34.9', 'pnpm', 'pack', ...flags], { cwd: folder });
    const file = `${manifest.name.slice(1).replace('/', '-')}-${manifest.version}.tgz`;
    packed.push({ folder, manifest, tarball: join(target, file) });
  }
  return packed;
}
