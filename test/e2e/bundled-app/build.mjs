// Builds the app in this folder, minified and with source maps, as the bundler's documentation shows for production:
//   node build.mjs vite|rollup|webpack|esbuild
// Only file names are set: the page loads `main.js`. A separate process, because bundlers and frameworks read NODE_ENV,
// which is `test` inside a test.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

process.env.NODE_ENV = 'production';
const app = import.meta.dirname;
const tsconfig = join(app, 'tsconfig.json');

/** @type {Record<string, (folder: string) => Promise<unknown>>} */
const bundlers = {
  async vite(folder) {
    const { build } = await import('vite');
    const output = { entryFileNames: 'main.js' };
    await build({
      root: app,
      configFile: false,
      base: './',
      logLevel: 'warn',
      build: {
        outDir: folder,
        sourcemap: true,
        rolldownOptions: { input: join(app, 'src/main.tsx'), output },
      },
    });
  },

  async rollup(folder) {
    const { rollup } = await import('rollup');
    const { nodeResolve } = await import('@rollup/plugin-node-resolve');
    const { default: terser } = await import('@rollup/plugin-terser');
    const { default: typescript } = await import('@rollup/plugin-typescript');
    const bundle = await rollup({
      input: join(app, 'src/main.tsx'),
      plugins: [nodeResolve({ browser: true }), typescript({ tsconfig }), terser()],
    });
    await bundle.write({ dir: folder, format: 'es', sourcemap: true, chunkFileNames: '[name]-[hash].js' });
    await bundle.close();
  },

  async webpack(folder) {
    const { default: webpack } = await import('webpack');
    const compiler = webpack({
      mode: 'production',
      context: app,
      entry: './src/main.tsx',
      devtool: 'source-map',
      output: { path: folder, filename: 'main.js', chunkFilename: '[id].[contenthash].js' },
      // ts-loader rewrites the imports of `.ts` and `.tsx` files to `.js`.
      resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
      module: {
        rules: [{ test: /\.tsx?$/, loader: 'ts-loader', options: { transpileOnly: true, configFile: tsconfig } }],
      },
    });
    await new Promise((resolve, reject) => {
      compiler?.run((error, stats) => {
        if (error) reject(error);
        else if (stats?.hasErrors()) reject(new Error(stats.toString('errors-only')));
        else resolve(undefined);
      });
    });
  },

  async esbuild(folder) {
    const { build } = await import('esbuild');
    await build({
      entryPoints: [join(app, 'src/main.tsx')],
      tsconfig,
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      sourcemap: true,
      outdir: folder,
      logLevel: 'warning',
    });
  },
};

const [, , bundler = ''] = process.argv;
const folder = join(app, 'dist', bundler);
await rm(folder, { recursive: true, force: true });
await bundlers[bundler]?.(folder);
