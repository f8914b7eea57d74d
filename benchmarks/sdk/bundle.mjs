import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import replace from '@rollup/plugin-replace';

const root = join(import.meta.dirname, '../..');
// The same bundler that builds our own packages.
const workspace = createRequire(join(root, 'packages/browser/package.json'));
/** @type {typeof import('rollup')} */
const { rollup } = workspace('rollup');
const terser = workspace('@rollup/plugin-terser');
const cache = join(tmpdir(), 'service-bench-bundles');

/** Warnings about code of others, and "use client", which a single script ignores. */
const quiet = new Set(['THIS_IS_UNDEFINED', 'CIRCULAR_DEPENDENCY', 'MODULE_LEVEL_DIRECTIVE']);

/** Resolves our built packages by the exports of their package.json. */
const ours = {
  name: 'ours',
  /**
   * @this {import('rollup').PluginContext}
   * @param {string} source
   * @param {string | undefined} importer
   */
  resolveId(source, importer) {
    const [isOurs, path = ''] = /^@service\/browser(\/.*)?$/.exec(source) ?? [];
    const file = isOurs && exported(`.${path}`);
    // Resolution continues as if in node_modules, where package.json declares that imports have no side effects.
    return file ? this.resolve(file, importer, { skipSelf: true }) : null;
  },
};

/**
 * Returns the file of an entry of our package; undefined if the entry does not exist.
 *
 * @param {string} entry `.`, `./errors`
 */
export function exported(entry) {
  const folder = join(root, 'packages/browser');
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = exports[entry]?.import?.default;
  return file && join(folder, file);
}

/**
 * The options of a bundle.
 *
 * @typedef {object} Bundling
 * @property {readonly string[]} [external] modules that are not bundled: the framework of an adapter
 * @property {Record<string, string>} [define] replacements for names
 */

/**
 * Bundles the text of a module like an application: one minified script without globals, or a module if something is
 * external. Bundles of other products take long and change only with their versions, so the temp folder keeps them.
 *
 * @param {string} text
 * @param {Bundling} [bundling]
 */
export async function bundle(text, bundling = {}) {
  if (text.includes('@service/')) return make(text, bundling);
  const hash = createHash('sha256');
  for (const path of ['../package-lock.json', 'bundle.mjs']) hash.update(readFileSync(join(import.meta.dirname, path)));
  hash.update(JSON.stringify({ text, bundling }));
  const kept = join(cache, `${hash.digest('hex').slice(0, 16)}.js`);
  if (!existsSync(kept)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(kept, await make(text, bundling));
  }
  return readFileSync(kept, 'utf8');
}

/**
 * @param {string} text
 * @param {Bundling} bundling
 */
async function make(text, { external = [], define = {} }) {
  const entry = join(import.meta.dirname, '../entry.mjs');
  const built = await rollup({
    input: entry,
    external: [...external],
    plugins: [
      {
        name: 'entry',
        resolveId: (source) => (source === entry ? entry : null),
        load: (id) => (id === entry ? text : null),
      },
      ours,
      nodeResolve({ browser: true }),
      commonjs(),
      replace({ preventAssignment: true, values: { 'process.env.NODE_ENV': '"production"', ...define } }),
    ],
    onwarn(warning, warn) {
      if (!quiet.has(warning.code ?? '')) warn(warning);
    },
  });
  const format = external.length > 0 ? 'es' : 'iife';
  const { output } = await built.generate({
    format,
    plugins: [
      terser({
        ecma: 2020,
        module: format === 'es',
        compress: { ecma: 2020, passes: 3, toplevel: true },
        mangle: { toplevel: true },
      }),
    ],
  });
  await built.close();
  return output[0].code;
}

/** @param {string} code */
export function sizes(code) {
  return {
    minified: Buffer.byteLength(code),
    gzip: gzipSync(code, { level: 9 }).length,
    brotli: brotliCompressSync(code).length,
  };
}
