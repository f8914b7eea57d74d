import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import { dts } from 'rollup-plugin-dts';

const root = fileURLToPath(new URL('./', import.meta.url));

/** The entry points, by their name in `dist`. All entries of a page share one state, which is in chunks. */
export const entries = {
  index: `${root}src/index.ts`,
  errors: `${root}src/errors.ts`,
  react: `${root}src/react/index.ts`,
  vue: `${root}src/vue/index.ts`,
  svelte: `${root}src/svelte/index.ts`,
  sveltekit: `${root}src/sveltekit/index.ts`,
  angular: `${root}src/angular/index.ts`,
  solid: `${root}src/solid/index.ts`,
  nuxt: `${root}src/nuxt/nuxt-module.ts`,
  'nuxt-plugin': `${root}src/nuxt/nuxt-plugin.ts`,
  loader: `${root}src/loader/index.ts`,
  testing: `${root}src/testing.ts`,
};

/**
 * The imports that the app provides: the frameworks of the adapters, the `#imports` that Nuxt generates, and for the
 * Nuxt plugin this package.
 */
export const external = ['react', 'vue', '#imports', '@service/browser'];

export const compiled = typescript({
  tsconfig: `${root}tsconfig.json`,
  include: `${root}src/**/*.ts`,
  // Only tests import JavaScript, and the plugin rejects `allowJs` without an `outDir`.
  compilerOptions: { allowJs: false },
  noEmitOnError: true,
});

/** Minifies the script for pages without a bundler. The name of its global, `ServiceSDK`, stays. */
export const minified = terser({ ecma: 2021, compress: { ecma: 2021, passes: 2 } });

/**
 * Replaces the advice of warnings by full sentences, and checks more options and users, for the `development` condition
 * of package.json.
 */
const development = {
  name: 'development',
  resolveId(id) {
    // The compiler has already renamed the import to `.js`.
    const [, name] = /^\.\/(advice|check-option-values|check-user-details)\.[jt]s$/.exec(id) ?? [];
    return name ? `${root}src/${name}.development.ts` : null;
  },
};

const clean = { name: 'clean', buildStart: () => rm(`${root}dist`, { recursive: true, force: true }) };

/**
 * Copies the page that the warnings link to into the package. Its links to other pages become text, because those pages
 * are not in the package.
 */
const troubleshooting = {
  name: 'troubleshooting',
  async buildStart() {
    const page = await readFile(`${root}../../docs/sdk/troubleshooting.md`, 'utf8');
    await mkdir(`${root}docs`, { recursive: true });
    await writeFile(`${root}docs/troubleshooting.md`, page.replace(/\[([^\]]+)\]\((?!#)[^)]+\)/g, '$1'));
  },
};

/** Marks the React adapter as client code for React Server Components. */
function banner({ fileName }) {
  return /^react\.c?js$/.test(fileName) ? '"use client";' : '';
}

/**
 * Puts all modules that `errors` shares with other entries into one chunk, because every page needs them. By default,
 * rollup would make a second chunk for the modules of the adapters, and each page would fetch one more file.
 */
function manualChunks(id, { getModuleInfo }) {
  const core = new Set([entries.errors]);
  for (const module of core) for (const imported of getModuleInfo(module).importedIds) core.add(imported);
  const isShared = getModuleInfo(id).importers.some((importer) => importer !== entries.errors);
  return core.has(id) && isShared ? 'core' : null;
}

/** Debuggers skip the SDK: the source of a console call is the line of the page. */
const sourceMap = {
  sourcemap: true,
  sourcemapIgnoreList: () => true,
  // The package contains the sources, which the maps name. Copies in the maps would double its size.
  sourcemapExcludeSources: true,
};

/** Returns the output options of one module format. Code that several entries need goes into chunks. */
export function modules(format, extension, folder = 'dist') {
  const names = { entryFileNames: `[name].${extension}`, chunkFileNames: `chunk-[hash].${extension}` };
  return {
    dir: `${root}${folder}`,
    format,
    ...names,
    manualChunks,
    banner,
    // Readable names between the chunks. The bundler of the page shortens them.
    minifyInternalExports: false,
    ...sourceMap,
  };
}

function types(extension) {
  return { ...modules('es', extension), sourcemap: false };
}

/** Emits the loader snippet as a file, to paste into pages without a bundler. */
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

/** Emits the hashes of the script (for its `integrity`) and of the snippet (for a Content-Security-Policy). */
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
    plugins: [clean, troubleshooting, compiled],
    output: [modules('es', 'js'), modules('cjs', 'cjs')],
  },
  {
    input: entries,
    external,
    plugins: [development, compiled],
    output: [modules('es', 'js', 'dist/development'), modules('cjs', 'cjs', 'dist/development')],
  },
  {
    input: entries.index,
    plugins: [compiled],
    output: {
      file: 'dist/index.iife.js',
      format: 'iife',
      name: 'ServiceSDK',
      ...sourceMap,
      plugins: [minified, snippet, integrity],
    },
  },
  {
    input: entries,
    external,
    plugins: [dts()],
    output: [types('d.ts'), types('d.cts')],
  },
];
