import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import { dts } from 'rollup-plugin-dts';
import { squeezed } from './squeeze.mjs';

export { squeezed };

const root = fileURLToPath(new URL('./', import.meta.url));

/** What can be imported, by its name in `dist`. A page may import several: they share one state, in chunks. */
export const entries = {
  index: `${root}src/index.ts`,
  errors: `${root}src/errors.ts`,
  react: `${root}src/react/index.ts`,
  vue: `${root}src/vue/index.ts`,
  svelte: `${root}src/svelte/index.ts`,
  loader: `${root}src/loader/index.ts`,
};

/** What an adapter is for, and only there if the app has it. */
export const external = ['react', 'vue'];

export const compiled = typescript({
  tsconfig: `${root}tsconfig.json`,
  include: `${root}src/**/*.ts`,
  // Only tests import JavaScript, and the plugin rejects `allowJs` without an `outDir`.
  compilerOptions: { allowJs: false },
  noEmitOnError: true,
});

/** A module can rename all that it does not export; the name of the global of a script is for others to see. */
export function minified(toplevel) {
  return terser({
    ecma: 2021,
    compress: { ecma: 2021, passes: 3, toplevel, unsafe_arrows: true, hoist_funs: true },
    mangle: { toplevel },
  });
}

const clean = { name: 'clean', buildStart: () => rm(`${root}dist`, { recursive: true, force: true }) };

/** So that pages which React renders on a server may import it. Comes after terser, which would take it for a mistake. */
const forClients = {
  name: 'for-clients',
  renderChunk: (code, { fileName }) => (/^react\.c?js$/.test(fileName) ? `"use client";${code}` : null),
};

/**
 * All that `errors` needs and has not for itself alone is one chunk, for every page needs it. Left alone, rollup would make
 * another of what adapters need of it, and each page would fetch one file more.
 */
function manualChunks(id, { getModuleInfo }) {
  const core = new Set([entries.errors]);
  for (const module of core) for (const imported of getModuleInfo(module).importedIds) core.add(imported);
  const isShared = getModuleInfo(id).importers.some((importer) => importer !== entries.errors);
  return core.has(id) && isShared ? 'core' : null;
}

/** One format of all entries. What several of them need stands in chunks. */
export function modules(format, extension, ...plugins) {
  const names = { entryFileNames: `[name].${extension}`, chunkFileNames: `chunk-[hash].${extension}` };
  return { dir: `${root}dist`, format, ...names, manualChunks, plugins: [...plugins, forClients] };
}

/** The loader's text as a file, to be pasted into pages that no bundler makes. */
const snippet = {
  name: 'snippet',
  async generateBundle() {
    const loader = await import(`${root}dist/loader.js`);
    this.emitFile({ type: 'asset', fileName: 'snippet.js', source: loader.snippet });
  },
};

function hash(algorithm, content) {
  return `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
}

/** The hashes of what pages name in a tag: for its `integrity`, and of the snippet for a Content-Security-Policy. */
const integrity = {
  name: 'integrity',
  generateBundle(_, bundle) {
    const hashes = {
      'index.iife.js': hash('sha384', bundle['index.iife.js'].code),
      'snippet.js': hash('sha256', bundle['snippet.js'].source),
    };
    this.emitFile({ type: 'asset', fileName: 'integrity.json', source: `${JSON.stringify(hashes, null, 2)}\n` });
  },
};

export default [
  {
    input: entries,
    external,
    plugins: [clean, compiled],
    output: [modules('es', 'js', squeezed, minified(true)), modules('cjs', 'cjs', squeezed, minified(true))],
  },
  {
    input: entries.index,
    plugins: [compiled],
    output: {
      file: 'dist/index.iife.js',
      format: 'iife',
      name: 'ServiceSDK',
      plugins: [squeezed, minified(false), snippet, integrity],
    },
  },
  {
    input: entries,
    external,
    plugins: [dts()],
    output: [modules('es', 'd.ts'), modules('es', 'd.cts')],
  },
];
