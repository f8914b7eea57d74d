import { rm } from 'node:fs/promises';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';

export default {
  input: 'shop/main.ts',
  // The SDK keeps the path of a dependency, node_modules/@service/browser, as in anybody's app: its frames are not the app's.
  preserveSymlinks: true,
  plugins: [
    { name: 'clean', buildStart: () => rm('dist', { recursive: true, force: true }) },
    nodeResolve({ browser: true }),
    typescript({ noEmitOnError: true }),
    terser({
      module: true,
      // The shop is so small that all of it would end up in one function, and a stack of one call shows nothing.
      compress: { ecma: 2020, inline: false, reduce_funcs: false },
    }),
  ],
  output: {
    dir: 'dist',
    format: 'es',
    entryFileNames: 'shop-[hash].js',
    // The map is written but not named in the script: it goes to the server, not to visitors.
    sourcemap: 'hidden',
    sourcemapPathTransform: (path) => path.replace(/^(\.\.\/)+/, ''),
  },
};
