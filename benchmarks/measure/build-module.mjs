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
  const { build } = createRequire(join(packages, 'server/package.json'))('esbuild');
  const folder = mkdtempSync(join(tmpdir(), 'bench-module-'));
  try {
    const outfile = join(folder, 'module.mjs');
    await build({
      entryPoints: [join(packages, path)],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
