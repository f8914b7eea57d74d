import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../../..');

/**
 * The browsers, controlled like in the tests of the SDK.
 *
 * @returns {Promise<import('../../../test/browsers/engine.ts').Engine[]>}
 */
export async function loadEngines() {
  /** @type {typeof import('esbuild')} */
  const { build } = createRequire(join(root, 'package.json'))('esbuild');
  // Below the node_modules with the packages that the built module imports.
  const folder = join(root, 'node_modules/.cache');
  const outfile = join(folder, `engines-${process.pid}.mjs`);
  mkdirSync(folder, { recursive: true });
  try {
    const contents = ['chromium', 'firefox', 'webkit'].map((name) => `export * from './${name}.ts';`).join('\n');
    await build({
      stdin: { contents, resolveDir: join(root, 'test/browsers') },
      outfile,
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20',
    });
    const { chromium, firefox, webkit } = await import(pathToFileURL(outfile).href);
    return [chromium, firefox, webkit];
  } finally {
    rmSync(outfile, { force: true });
  }
}
