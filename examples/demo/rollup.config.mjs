import { rm } from 'node:fs/promises';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';

export default {
  input: 'shop/main.ts',
  // The SDK keeps the path node_modules/@service/browser, as in any app, so that its frames are not in-app frames.
  preserveSymlinks: true,
  plugins: [
    { name: 'clean', buildStart: () => rm('dist', { recursive: true, force: true }) },
    nodeResolve({ browser: true }),
    typescript({ noEmitOnError: true }),
    terser({
      module: true,
      // The shop is so small that the minifier would inline all of it. A stack of one frame shows nothing.
      compress: { ecma: 2020, inline: false, reduce_funcs: false },
    }),
  ],
  output: {
    dir: 'dist',
    format: 'es',
    entryFileNames: 'shop-[hash].js',
    // The script does not name its map: the map is uploaded to the server, not served to visitors.
    sourcemap: 'hidden',
    sourcemapPathTransform: (path) => path.replace(/^(\.\.\/)+/, ''),
  },
};
