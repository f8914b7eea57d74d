import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;

/** Popular packages. The last bundle has all of them, like a very large app. */
const entries = {
  three: `export * as a from 'three'; export * as b from 'three/webgpu'; export * as c from 'three/tsl';`,
  mui: `export * from '@mui/material'; export * as dom from 'react-dom/client';`,
  monaco: `export * as monaco from 'monaco-editor';`,
  workers: ['typescript/ts', 'css/css', 'html/html', 'json/json']
    .map((name, at) => `export * as worker${at} from 'monaco-editor/language/${name}.worker';`)
    .join('\n'),
};

/**
 * @typedef {object} Bundle
 * @property {string} name
 * @property {string} script path of the minified file
 * @property {string} map path of its source map
 */

/**
 * Builds bundles of large packages with their maps, once for each set of versions. The temp folder keeps them.
 *
 * @returns {Promise<Bundle[]>} the largest last
 */
export async function largeBundles() {
  const lock = readFileSync(join(here, 'package-lock.json'));
  if (!existsSync(join(here, 'node_modules/.package-lock.json'))) {
    console.error('Installing large packages…');
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: here, stdio: 'inherit' });
  }
  const contents = Object.entries({ ...entries, all: Object.values(entries).join('\n') });
  const version = createHash('sha256').update(lock).update(JSON.stringify(contents)).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `service-bench-maps-${version}`);
  if (!existsSync(folder)) {
    const making = `${folder}-${process.pid}`;
    mkdirSync(making);
    for (const [name, text] of contents) await bundle(name, text, making);
    rmSync(folder, { recursive: true, force: true });
    renameSync(making, folder);
  }
  return ['mui', 'three', 'monaco', 'all'].map((name) => ({
    name,
    script: join(folder, `${name}.js`),
    map: join(folder, `${name}.js.map`),
  }));
}

/**
 * @param {string} name
 * @param {string} contents
 * @param {string} folder
 */
async function bundle(name, contents, folder) {
  const { build } = createRequire(join(here, 'package.json'))('esbuild');
  await build({
    stdin: { contents, resolveDir: here, sourcefile: 'entry.js' },
    bundle: true,
    minify: true,
    sourcemap: 'external',
    outdir: folder,
    entryNames: name,
    format: 'esm',
    loader: { '.ttf': 'dataurl', '.svg': 'dataurl' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  if (!existsSync(join(folder, `${name}.js`))) renameSync(join(folder, 'stdin.js'), join(folder, `${name}.js`));
  if (!existsSync(join(folder, `${name}.js.map`)))
    renameSync(join(folder, 'stdin.js.map'), join(folder, `${name}.js.map`));
}
