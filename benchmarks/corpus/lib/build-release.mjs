import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { svelteForEsbuild, svelteForVite } from './svelte.mjs';

const corpus = join(import.meta.dirname, '..');
const root = join(import.meta.dirname, '../../..');
const workspace = createRequire(join(root, 'package.json'));

/**
 * @param {import('../apps.mjs').App} app
 */
export function releasesOf({ sources }) {
  return readdirSync(join(corpus, sources)).filter((name) => /^r\d+$/.test(name));
}

export const bundlers = /** @type {const} */ (['esbuild', 'vite', 'webpack']);

/** Scripts and source maps of a build by path, such as `assets/main-1a2b.js`. @typedef {Map<string, string>} Built */

/**
 * Writes the sources of a release into `folder`, and installs its dependencies from npm there. In the corpus, a release
 * has only the files that changed since the previous one, and `removed.txt`, which lists the removed files.
 *
 * @param {import('../apps.mjs').App} app
 * @param {string} release
 * @param {string} folder
 */
export function layOut(app, release, folder) {
  const sources = join(corpus, app.sources);
  const releases = releasesOf(app);
  rmSync(join(folder, 'src'), { recursive: true, force: true });
  const before = textOf(join(folder, 'package.json'));
  mkdirSync(folder, { recursive: true });
  for (const step of releases.slice(0, releases.indexOf(release) + 1)) {
    for (const path of textOf(join(sources, step, 'removed.txt'))
      .split('\n')
      .filter(Boolean))
      rmSync(join(folder, path));
    cpSync(join(sources, step), folder, { recursive: true, filter: (path) => !path.endsWith('removed.txt') });
  }
  if (textOf(join(folder, 'package.json')) === before && existsSync(join(folder, 'node_modules'))) return;
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: 'inherit' });
}

/** @param {string} path */
const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** @typedef {Record<string, string>} Entries paths below the folder, by name */

/** @type {Record<string, (entries: Entries, folder: string, out: string) => Promise<unknown>>} */
const builders = {
  async esbuild(entries, folder, out) {
    /** @type {typeof import('esbuild')} */
    const { build } = workspace('esbuild');
    await build({
      entryPoints: Object.entries(entries).map(([name, path]) => ({ in: join(folder, path), out: name })),
      tsconfig: join(folder, 'tsconfig.json'),
      absWorkingDir: folder,
      bundle: true,
      conditions: ['svelte', 'browser'],
      plugins: [svelteForEsbuild(folder)],
      format: 'esm',
      minify: true,
      sourcemap: true,
      entryNames: '[name]-[hash]',
      outdir: join(out, 'assets'),
    });
  },

  async vite(entries, folder, out) {
    const { build } = await import(pathToFileURL(join(root, 'node_modules/vite/dist/node/index.js')).href);
    const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(folder, path)]));
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      resolve: { conditions: ['svelte', 'browser', 'production', 'import', 'module', 'default'] },
      plugins: [svelteForVite(folder)],
      build: {
        outDir: out,
        sourcemap: true,
        rolldownOptions: { input, output: { entryFileNames: 'assets/[name]-[hash].js' } },
      },
    });
  },

  async webpack(entries, folder, out) {
    /** @type {typeof import('webpack')} */
    const webpack = workspace('webpack');
    const compilerOptions = {
      noEmit: false,
      sourceMap: true,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
    };
    const options = { transpileOnly: true, compilerOptions };
    const compiler = webpack({
      mode: 'production',
      context: folder,
      entry: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, `./${path}`])),
      devtool: 'source-map',
      output: { path: join(out, 'assets'), filename: '[name].[contenthash:8].js' },
      // ts-loader rewrites the imports of `.ts` and `.tsx` files to `.js`.
      resolve: {
        extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
        conditionNames: ['svelte', 'browser', 'import', 'module', 'default'],
      },
      module: {
        rules: [
          { test: /\.tsx?$/, loader: workspace.resolve('ts-loader'), options },
          { test: /\.svelte$/, loader: join(import.meta.dirname, 'svelte-loader.mjs') },
        ],
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
};

/**
 * Builds the sources, minified and with source maps.
 *
 * @param {import('../apps.mjs').App} app
 * @param {string} bundler
 * @param {string} folder
 * @returns {Promise<Built>}
 */
export async function buildRelease({ entries }, bundler, folder) {
  const out = join(folder, 'out');
  rmSync(out, { recursive: true, force: true });
  await builders[bundler]?.(entries, folder, out);
  return filesOf(out);
}

/**
 * Translates each module of `src` separately, like a development server, with its source map in the same folder.
 * Modules of libraries are copied.
 *
 * @param {string} folder
 * @returns {Built}
 */
export function translate(folder) {
  /** @type {typeof import('typescript')} */
  const { transpileModule, ModuleKind, ScriptTarget, JsxEmit } = workspace('typescript');
  /** @type {Built} */
  const built = new Map();
  for (const [path, text] of filesOf(join(folder, 'src'))) {
    const { outputText, sourceMapText = '' } = transpileModule(text, {
      fileName: `src/${path}`,
      compilerOptions: {
        target: ScriptTarget.ES2022,
        module: ModuleKind.ESNext,
        jsx: JsxEmit.ReactJSX,
        jsxImportSource: 'preact',
        sourceMap: true,
        verbatimModuleSyntax: true,
      },
    });
    built.set(`src/${path}`, outputText);
    built.set(`src/${path}.map`, sourceMapText);
  }
  for (const [path, text] of filesOf(join(folder, 'node_modules'))) {
    if (/\.m?js$/.test(path)) built.set(`node_modules/${path}`, text);
  }
  return built;
}

/**
 * @param {string} folder
 * @returns {Built}
 */
function filesOf(folder) {
  const entriesThere = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entriesThere.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}
