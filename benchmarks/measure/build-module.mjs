import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const packages = join(import.meta.dirname, '../../packages');

/**
 * Builds and imports a module from its sources, with its imports: a process or a socket would distort the measurement.
 *
 * @param {string} path below packages/
 */
export async function buildModule(path) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-module-'));
  try {
    const outfile = join(folder, 'module.mjs');
    await writeModule(path, outfile);
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Builds the same as a file, for another process.
 *
 * @param {string} path below packages/
 * @param {string} outfile
 */
export async function writeModule(path, outfile) {
  const { build } = createRequire(join(packages, 'server/package.json'))('esbuild');
  await build({
    entryPoints: [join(packages, path)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  });
}
