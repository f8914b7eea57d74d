import type { Build } from './build.ts';
import type { ServicePluginOptions } from './options.ts';

// webpack and Rspack have the same hooks. These are the parts of their types that are used here.

interface Source {
  source(): string | Buffer;
}

interface Asset {
  readonly name: string;
  readonly source: Source;
  readonly info: { copied?: boolean | undefined; related?: { sourceMap?: string | string[] | null } | undefined };
}

interface Chunk {
  files: Iterable<string>;
  hasRuntime(): boolean;
}

interface Entrypoint {
  getEntrypointChunk(): Chunk | null;
}

interface Compilation {
  outputOptions: { path?: string; publicPath?: unknown };
  entrypoints: ReadonlyMap<string, Entrypoint>;
  chunks: Iterable<Chunk>;
  hooks: { processAssets: { tap(options: { name: string; stage: number }, run: () => void): void } };
  getAssets(): readonly Asset[];
  getAsset(name: string): Asset | undefined;
  updateAsset(name: string, source: Source): void;
}

interface Compiler {
  options: { devtool?: unknown; mode?: unknown; watch?: unknown; plugins?: readonly unknown[] };
  watchMode: boolean;
  webpack: {
    Compilation: { PROCESS_ASSETS_STAGE_DEV_TOOLING: number };
    sources: { RawSource: new (text: string) => Source };
  };
  hooks: {
    thisCompilation: { tap(name: string, run: (compilation: Compilation) => void): void };
    afterEmit: { tapPromise(name: string, run: (compilation: Compilation) => Promise<void>): void };
  };
}

const pluginName = 'service-bundler-plugin';

/** Adds the plugin to a compiler of webpack or Rspack. */
export function applyToCompiler(build: Build, options: ServicePluginOptions, instance: unknown): void {
  const compiler = instance as Compiler;
  const { devtool, mode, watch, plugins = [] } = compiler.options;
  const hasMapPlugin = plugins.some(isMapPlugin);
  const hasMaps = Boolean(devtool) || hasMapPlugin;
  // In watch mode, nothing is uploaded or removed. `compiler.watch()` without the option is not known yet.
  if (build.settings.needsMaps && mode !== 'development' && !watch && !hasMaps) {
    compiler.options.devtool = 'hidden-source-map';
    build.hasOwnMaps = true;
  }
  compiler.hooks.thisCompilation.tap(pluginName, (compilation) => {
    if (compiler.watchMode) return;
    build.warnWithoutToken(options);
    // The maps exist from this stage on. Content hashes, integrity and compression come later.
    const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_DEV_TOOLING + 1;
    compilation.hooks.processAssets.tap({ name: pluginName, stage }, () =>
      transformAssets(build, compiler, compilation),
    );
  });
  compiler.hooks.afterEmit.tapPromise(pluginName, async (compilation) => {
    const { path = '.', publicPath } = compilation.outputOptions;
    if (compiler.watchMode) return;
    const assets = builtAssets(compilation);
    await build.finish({
      folder: path,
      names: assets.map(({ name }) => withoutQuery(name)),
      mapNames: new Map(assets.flatMap((asset) => mapFileOf(asset))),
      // Such a plugin may write only maps of stylesheets, or maps that only `eval` reads.
      adviceWithoutMaps: hasMapPlugin ? 'Let SourceMapDevToolPlugin write the maps of scripts.' : null,
      publicPath: typeof publicPath === 'string' ? publicPath : 'auto',
    });
  });
}

/** Returns whether a plugin writes source maps in place of `devtool`. */
function isMapPlugin(plugin: unknown): boolean {
  return /^(?:Eval)?SourceMapDevToolPlugin$/.test((plugin as object | null)?.constructor?.name ?? '');
}

function transformAssets(build: Build, { webpack }: Compiler, compilation: Compilation): void {
  const { RawSource } = webpack.sources;
  const entries = entryFiles(compilation);
  for (const asset of builtAssets(compilation)) {
    const { name, source } = asset;
    if (!/\.[cm]?js$/.test(withoutQuery(name))) continue;
    const mapName = mapNameOfAsset(asset);
    const map = mapName === null ? null : (compilation.getAsset(mapName)?.source.source().toString() ?? null);
    const code = source.source().toString();
    const transformed = build.transform({ code, map }, entries.has(name));
    if (transformed.code === code) continue;
    compilation.updateAsset(name, new RawSource(transformed.code));
    if (mapName !== null && transformed.map !== null) compilation.updateAsset(mapName, new RawSource(transformed.map));
  }
}

/** Returns the assets without those that CopyPlugin has copied: these stay unchanged, with their maps. */
function builtAssets(compilation: Compilation): Asset[] {
  return compilation.getAssets().filter(({ info }) => !info.copied);
}

function mapNameOfAsset({ info }: Asset): string | null {
  const related = info.related?.sourceMap;
  return (Array.isArray(related) ? related[0] : related) ?? null;
}

/** Returns the file of a script and that of its map, if it has one. */
function mapFileOf(asset: Asset): [script: string, map: string][] {
  const mapName = mapNameOfAsset(asset);
  return mapName === null ? [] : [[withoutQuery(asset.name), withoutQuery(mapName)]];
}

/** Returns the file of an asset. Its name may end in a query, such as `?v=[contenthash]`. */
function withoutQuery(name: string): string {
  return name.replace(/\?.*$/, '');
}

/** Returns the files of entries, and those that run before them: the runtime of a page or of a worker. */
function entryFiles({ chunks, entrypoints }: Compilation): Set<string> {
  const runtimes = [...chunks].filter((chunk) => chunk.hasRuntime());
  const entries = [...entrypoints.values()].map((entrypoint) => entrypoint.getEntrypointChunk());
  return new Set([...runtimes, ...entries].flatMap((chunk) => [...(chunk?.files ?? [])]));
}
