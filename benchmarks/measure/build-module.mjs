import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const packages = join(import.meta.dirname, '../../packages');

/**
 * A module of ours as it stands in the sources, with all that it imports: no process and no socket is to blur what it takes.
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
 * The same as a file, for another process.
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
