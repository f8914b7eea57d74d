/// <reference types="node" />
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Builds the page in `file` for production, as the documentation of the bundler shows. Returns its code. */
type Bundle = (file: string) => Promise<string>;

/** The frameworks of the adapters. The page has them anyway, so their bytes are not counted. */
const frameworks = ['react', 'vue'];

const vite: Bundle = async (file) => {
  const { build } = await import('vite');
  const built = await build({
    root: join(file, '..'),
    configFile: false,
    logLevel: 'silent',
    build: { write: false, rolldownOptions: { input: file, external: frameworks } },
  });
  const [bundle] = [built].flat();
  return bundle && 'output' in bundle ? codeOf(bundle.output) : '';
};

const webpack: Bundle = async (file) => {
  const { default: start } = await import('webpack');
  const folder = join(file, '..');
  const compiler = start({
    mode: 'production',
    context: folder,
    entry: file,
    output: { path: join(folder, 'dist'), filename: 'main.js' },
    externals: Object.fromEntries(frameworks.map((name) => [name, name])),
    performance: false,
  });
  await new Promise<void>((resolve, reject) => {
    compiler?.run((error, stats) => {
      if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString('errors-only')));
      else resolve();
    });
  });
  return readFile(join(folder, 'dist/main.js'), 'utf8');
};

const esbuild: Bundle = async (file) => {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: 'esm',
    external: frameworks,
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
};

const rollup: Bundle = async (file) => {
  const [{ rollup: start }, { nodeResolve }, { default: terser }] = await Promise.all([
    import('rollup'),
    import('@rollup/plugin-node-resolve'),
    import('@rollup/plugin-terser'),
  ]);
  const bundle = await start({
    input: file,
    external: frameworks,
    plugins: [nodeResolve({ browser: true })],
    // Every bundler ignores "use client".
    onLog(level, log, handle) {
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
    },
  });
  const { output } = await bundle.generate({ format: 'es', plugins: [terser()] });
  await bundle.close();
  return codeOf(output);
};

/** The bundlers of pages, in the order of the table in the README. */
export const bundlers: Readonly<Record<string, Bundle>> = { Vite: vite, webpack, esbuild, rollup };

/** Bundles a page with this code in a project. Bundlers build for production only if `NODE_ENV` is `production`. */
export async function bundlePage(project: string, bundler: string, code: string): Promise<string> {
  const folder = await mkdtemp(join(project, 'page-'));
  const file = join(folder, 'page.js');
  await writeFile(file, code);
  return (await bundlers[bundler]?.(file)) ?? '';
}

/** Returns the code of a page that only starts the SDK. */
export const minimalPage = (entry: string): string =>
  `import { init } from '${entry}'; init({ apiKey: 'pk', endpoint: 'https://errors.test' });`;

export function gzipBytes(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}

function codeOf(output: readonly object[]): string {
  return output.map((file) => ('code' in file ? String(file.code) : '')).join('');
}
