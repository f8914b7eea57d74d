import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Configuration, RuleSetRule } from 'webpack';
import type { ServicePluginOptions } from '../src/options.ts';

const app = fileURLToPath(new URL('app/', import.meta.url));
const loader = join(app, 'esbuild-loader.cjs');
const sdk = fileURLToPath(import.meta.resolve('@service/browser'));

/** The built plugin, as users import it. The tests of the source need no build. */
const plugin = (name: string): string => new URL(`../dist/${name}.js`, import.meta.url).href;

export interface BuiltApp {
  /** The folder of the output. */
  folder: string;
  /** The name of the entry of the page. */
  entry: string;
  isModule: boolean;
  /** The script of the worker, if the bundler does not find it in the source. */
  worker?: string;
}

type BuildApp = (root: string, options: ServicePluginOptions) => Promise<Omit<BuiltApp, 'folder'>>;

/** Returns the script whose name begins with a text, or a name that does not exist. */
async function findFile(folder: string, start: string): Promise<string> {
  const { readdir } = await import('node:fs/promises');
  const files = await readdir(folder, { recursive: true });
  return files.find((file) => file.split(/[/\\]/).at(-1)?.startsWith(start) && file.endsWith('.js')) ?? `${start}.js`;
}

async function serviceOf<Service>(name: string): Promise<Service> {
  return ((await import(plugin(name))) as { service: Service }).service;
}

/** A plugin of Rollup that compiles TypeScript and finds the SDK. */
const typescript = {
  name: 'typescript',
  resolveId: (id: string, importer?: string) =>
    id === '@service/browser' ? sdk : importer && id.endsWith('.ts') ? join(dirname(importer), id) : null,
  async transform(code: string, id: string) {
    if (!id.endsWith('.ts')) return null;
    const { transform } = await import('esbuild');
    const compiled = await transform(code, { loader: 'ts', sourcemap: 'external', sourcefile: id });
    return { code: compiled.code, map: compiled.map };
  },
};

const webpackLike = (
  root: string,
): Pick<Configuration, 'mode' | 'context' | 'entry' | 'output' | 'resolve' | 'optimization'> & {
  module: { rules: RuleSetRule[] };
} => ({
  mode: 'production',
  context: root,
  entry: { main: './main.ts' },
  output: { path: join(root, 'dist'), filename: '[name].[contenthash:8].js', publicPath: 'auto' },
  resolve: { alias: { '@service/browser': sdk } },
  module: { rules: [{ test: /\.ts$/, use: loader }] },
});

/** Runs a compilation of webpack or Rspack. Rejects with its errors. */
function compile(
  run: (done: (error: Error | null, stats?: { hasErrors(): boolean; toString(): string }) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    run((error, stats) => {
      if (error) reject(error);
      else if (stats?.hasErrors()) reject(new Error(stats.toString()));
      else resolve();
    });
  });
}

export const bundlers: Record<string, BuildApp> = {
  async vite(root, options) {
    const { build } = await import('vite');
    const service = await serviceOf<typeof import('../src/vite.ts').service>('vite');
    await writeFile(join(root, 'index.html'), '<script type="module" src="/main.ts"></script>');
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      resolve: { alias: { '@service/browser': sdk } },
      worker: { format: 'es' },
      plugins: [service(options)],
    });
    return { entry: await findFile(join(root, 'dist'), 'index'), isModule: true };
  },
  async rollup(root, options) {
    const { rollup } = await import('rollup');
    const service = await serviceOf<typeof import('../src/rollup.ts').service>('rollup');
    const terser = (await import('@rollup/plugin-terser')).default;
    const input = { main: join(root, 'main.ts'), counter: join(root, 'counter.ts') };
    const bundle = await rollup({ input, plugins: [typescript, terser({ module: true }), service(options)] });
    await bundle.write({ dir: join(root, 'dist'), entryFileNames: '[name]-[hash].js' });
    await bundle.close();
    return {
      entry: await findFile(join(root, 'dist'), 'main'),
      worker: await findFile(join(root, 'dist'), 'counter'),
      isModule: true,
    };
  },
  async rolldown(root, options) {
    const { rolldown } = await import('rolldown');
    const service = await serviceOf<typeof import('../src/rolldown.ts').service>('rolldown');
    const input = { main: join(root, 'main.ts'), counter: join(root, 'counter.ts') };
    const bundle = await rolldown({
      input,
      resolve: { alias: { '@service/browser': sdk } },
      plugins: [service(options)],
    });
    await bundle.write({ dir: join(root, 'dist'), entryFileNames: '[name]-[hash].js', minify: true });
    await bundle.close();
    return {
      entry: await findFile(join(root, 'dist'), 'main'),
      worker: await findFile(join(root, 'dist'), 'counter'),
      isModule: true,
    };
  },
  async webpack(root, options) {
    const { default: webpack } = await import('webpack');
    const service = await serviceOf<typeof import('../src/webpack.ts').service>('webpack');
    const compiler = webpack({ ...webpackLike(root), plugins: [service(options)] });
    if (!compiler) throw new Error('webpack has not created a compiler.');
    await compile((done) => compiler.run(done));
    await new Promise((resolve) => compiler.close(resolve));
    return { entry: await findFile(join(root, 'dist'), 'main'), isModule: false };
  },
  async rspack(root, options) {
    const { rspack } = await import('@rspack/core');
    const service = await serviceOf<typeof import('../src/rspack.ts').service>('rspack');
    const compiler = rspack({ ...(webpackLike(root) as object), plugins: [service(options)] });
    await compile((done) => compiler.run(done));
    await new Promise((resolve) => compiler.close(resolve));
    return { entry: await findFile(join(root, 'dist'), 'main'), isModule: false };
  },
  async esbuild(root, options) {
    const { build } = await import('esbuild');
    const service = await serviceOf<typeof import('../src/esbuild.ts').service>('esbuild');
    await build({
      absWorkingDir: root,
      entryPoints: ['main.ts', 'counter.ts'],
      entryNames: '[name]-[hash]',
      outdir: 'dist',
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      alias: { '@service/browser': sdk },
      logLevel: 'error',
      plugins: [service(options)],
    });
    return {
      entry: await findFile(join(root, 'dist'), 'main'),
      worker: await findFile(join(root, 'dist'), 'counter'),
      isModule: true,
    };
  },
};

/** Copies the app into a temporary folder and builds it for production. */
export async function buildApp(bundler: string, options: ServicePluginOptions): Promise<BuiltApp & { root: string }> {
  const root = await mkdtemp(join(tmpdir(), `plugin-${bundler}-`));
  await cp(app, root, { recursive: true });
  const built = await bundlers[bundler]?.(root, options);
  if (!built) throw new Error(`There is no bundler ${bundler}.`);
  return { root, folder: join(root, 'dist'), ...built };
}

/** Returns the text of the files of a build by name. */
export async function readOutput({ folder }: BuiltApp): Promise<Record<string, string>> {
  const { readdir } = await import('node:fs/promises');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const),
    ),
  );
}
