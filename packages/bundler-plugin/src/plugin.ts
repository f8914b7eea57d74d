import { createUnplugin, type UnpluginInstance, type UnpluginOptions } from 'unplugin';
import { Build } from './build.ts';
import { setUpEsbuild } from './esbuild-hooks.ts';
import type { ServicePluginOptions } from './options.ts';
import { finishBundle, transformBundle, type Bundle, type WriteOptions } from './rollup-hooks.ts';
import { errorServerPlugin } from './error-server-plugin.ts';
import { applyToCompiler } from './webpack-hooks.ts';

/**
 * The plugin for all bundlers. In watch mode it changes no script and uploads nothing. esbuild does not report watch
 * mode, so its first build is changed and uploaded, unless the process has the argument `--watch` or `--serve`.
 */
export const servicePlugin: UnpluginInstance<ServicePluginOptions | undefined, true> = createUnplugin<
  ServicePluginOptions | undefined,
  true
>((options: ServicePluginOptions | undefined = {}): UnpluginOptions[] => {
  const build = new Build(options);
  const hooks = rollupHooks(build, options);
  return [
    {
      name: 'service-bundler-plugin',
      enforce: 'post',
      vite: viteHooks(build, options),
      rollup: hooks,
      rolldown: hooks,
      webpack: (compiler) => applyToCompiler(build, options, compiler),
      rspack: (compiler) => applyToCompiler(build, options, compiler),
      esbuild: { setup: (esbuild) => setUpEsbuild(build, options, esbuild) },
    },
    { name: 'service-error-server', vite: options.dev ? errorServerPlugin() : {} },
  ];
});

type ViteHooks = NonNullable<UnpluginOptions['vite']>;

/** The part of the hooks' context that Rollup and Rolldown share. */
interface WatchContext {
  meta: { watchMode: boolean };
}

function rollupHooks(build: Build, options: ServicePluginOptions) {
  return {
    buildStart(this: WatchContext) {
      if (!this.meta.watchMode) build.warnWithoutToken(options);
    },
    outputOptions<Output extends { sourcemap?: unknown }>(this: WatchContext, output: Output) {
      if (!build.settings.needsMaps || this.meta.watchMode || output.sourcemap) return null;
      build.hasOwnMaps = true;
      return { ...output, sourcemap: 'hidden' as const };
    },
    augmentChunkHash(chunk: { isEntry: boolean }) {
      return hashOf(build, chunk.isEntry);
    },
    generateBundle: {
      order: 'post' as const,
      handler(this: WatchContext, _: object, bundle: Bundle) {
        if (!this.meta.watchMode) transformBundle(build, bundle);
      },
    },
    async writeBundle(this: WatchContext, output: WriteOptions, bundle: Bundle) {
      if (!this.meta.watchMode) await finishBundle(build, output, bundle, '');
    },
  };
}

function viteHooks(build: Build, options: ServicePluginOptions): ViteHooks {
  let publicPath = '/';
  return {
    apply: (config, { command }) => command === 'build' && !config.build?.watch,
    config(config) {
      if (!build.settings.needsMaps || config.build?.sourcemap) return {};
      build.hasOwnMaps = true;
      return { build: { sourcemap: 'hidden' } };
    },
    configEnvironment(_, { build: { sourcemap } = {} }) {
      // Frameworks such as Astro switch maps off for an environment, although the user has not decided.
      return build.hasOwnMaps && sourcemap === false ? { build: { sourcemap: 'hidden' } } : null;
    },
    configResolved({ base }) {
      publicPath = base;
      build.warnWithoutToken(options);
    },
    augmentChunkHash(chunk) {
      return hashOf(build, chunk.isEntry);
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        transformBundle(build, bundle);
      },
    },
    writeBundle: {
      order: 'post',
      async handler(output, bundle) {
        await finishBundle(build, output, bundle, publicPath);
      },
    },
  };
}

/** The release is written into entries after their names are decided, so it has to be a part of their hash. */
function hashOf(build: Build, isEntry: boolean): string | undefined {
  return isEntry ? (build.settings.release ?? undefined) : undefined;
}
