import type { Options } from '../client.ts';

/** The part of a Nuxt instance that a module needs. */
interface Nuxt {
  options: {
    plugins: unknown[];
    runtimeConfig: { public: Record<string, unknown> };
    build: { transpile: unknown[] };
  };
}

/**
 * The options of `init()` that can be written as JSON: `modules: [['@service/browser/nuxt', { apiKey, endpoint }]]`.
 */
export type NuxtModuleOptions = Pick<Options, 'apiKey' | 'endpoint' | 'environment' | 'release' | 'sampleRate'>;

/** The Nuxt module: starts the SDK in the browser, before the app, and reports the errors that Nuxt and Vue handle. */
export default function nuxtModule(options: NuxtModuleOptions, { options: nuxt }: Nuxt): void {
  nuxt.runtimeConfig.public.serviceErrors = options;
  // Nuxt resolves the import of `#imports` only in packages that it transpiles.
  nuxt.build.transpile.push('@service/browser');
  nuxt.plugins.unshift({ src: '@service/browser/nuxt-plugin', mode: 'client' });
}
