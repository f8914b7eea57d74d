import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import { dts } from 'rollup-plugin-dts';

const root = fileURLToPath(new URL('./', import.meta.url));

/** What can be imported, by its name in `dist`. A page may import several: they share one state, in chunks. */
export const entries = {
  index: `${root}src/index.ts`,
  errors: `${root}src/errors.ts`,
};

export const compiled = typescript({
  tsconfig: `${root}tsconfig.json`,
  include: `${root}src/**/*.ts`,
  noEmitOnError: true,
});

/** A module can rename all that it does not export; the name of the global of a script is for others to see. */
export function minified(toplevel) {
  return terser({
    ecma: 2020,
    compress: { ecma: 2020, passes: 3, toplevel, unsafe_arrows: true, hoist_funs: true },
    mangle: { toplevel },
  });
}

const clean = { name: 'clean', buildStart: () => rm(`${root}dist`, { recursive: true, force: true }) };

/** One format of all entries. What several of them need stands in chunks. */
export function modules(format, extension, ...plugins) {
  const names = { entryFileNames: `[name].${extension}`, chunkFileNames: `chunk-[hash].${extension}` };
  return { dir: `${root}dist`, format, ...names, plugins };
}

export default [
  {
    input: entries,
    plugins: [clean, compiled],
    output: [modules('es', 'js', minified(true)), modules('cjs', 'cjs', minified(true))],
  },
  {
    input: entries.index,
    plugins: [compiled],
    output: { file: 'dist/index.iife.js', format: 'iife', name: 'ServiceSDK', plugins: [minified(false)] },
  },
  {
    input: entries,
    plugins: [dts()],
    output: [modules('es', 'd.ts'), modules('es', 'd.cts')],
  },
];
