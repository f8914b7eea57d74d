import { fileURLToPath } from 'node:url';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import { dts } from 'rollup-plugin-dts';

const root = fileURLToPath(new URL('./', import.meta.url));

export const input = `${root}src/index.ts`;

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

export default [
  {
    input,
    plugins: [compiled],
    output: [
      { file: 'dist/index.js', format: 'es', plugins: [minified(true)] },
      { file: 'dist/index.cjs', format: 'cjs', plugins: [minified(true)] },
      { file: 'dist/index.iife.js', format: 'iife', name: 'ServiceSDK', plugins: [minified(false)] },
    ],
  },
  {
    input,
    plugins: [dts()],
    output: [{ file: 'dist/index.d.ts' }, { file: 'dist/index.d.cts' }],
  },
];
