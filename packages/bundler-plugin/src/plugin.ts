import { resolve } from 'node:path';
import { createUnplugin, type UnpluginInstance, type UnpluginOptions } from 'unplugin';
import { Build } from './build.ts';
import { setUpEsbuild } from './esbuild-hooks.ts';
import type { ServicePluginOptions } from './options.ts';
import {
  finishBundle,
  hasMapsOfUser,
  transformBundle,
  withOwnMaps,
  type Bundle,
  type WriteOptions,
} from './rollup-hooks.ts';
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
    outputOptions<Output extends WriteOptions>(this: WatchContext, output: Output) {
      if (!build.settings.needsMaps || this.meta.watchMode || output.sourcemap) return null;
      build.hasOwnMaps = true;
      return withOwnMaps(output);
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
      if (this.meta.watchMode) return;
      await finishBundle(build, output, bundle, { publicPath: '', hasUserMaps: hasMapsOfUser(output) });
    },
  };
}

/** The roots of current builds for which the plugin has switched maps on. */
const rootsWithOwnMaps = new Set<string>();

function viteHooks(build: Build, options: ServicePluginOptions): ViteHooks {
  let publicPath = '/';
  let switchedOn: string | null = null;
  return {
    apply: (config, { command }) => command === 'build' && !config.build?.watch,
    config({ root: folder = '.', build: { sourcemap } = {} }) {
      if (!build.settings.needsMaps) return {};
      const root = resolve(folder);
      // SvelteKit 2 runs the build of the client inside that of the server, and passes on the option of the latter. So
      // it looks like a choice of the user, and the maps of the client would stay in the output.
      const isPassedOn = sourcemap === 'hidden' && rootsWithOwnMaps.has(root);
      if (sourcemap && !isPassedOn) return {};
      build.hasOwnMaps = true;
      if (isPassedOn) return {};
      rootsWithOwnMaps.add((switchedOn = root));
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
        // The plugin switches hidden maps on, for the whole build.
        const hasUserMaps = output.sourcemap === true || output.sourcemap === 'inline';
        await finishBundle(build, output, bundle, { publicPath, hasUserMaps });
      },
    },
    closeBundle() {
      if (switchedOn !== null) rootsWithOwnMaps.delete(switchedOn);
    },
  };
}

/** The release is written into entries after their names are decided, so it has to be a part of their hash. */
function hashOf(build: Build, isEntry: boolean): string | undefined {
  return isEntry ? (build.settings.release ?? undefined) : undefined;
}
