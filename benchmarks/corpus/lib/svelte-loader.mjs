import { compileComponent } from './svelte.mjs';

/**
 * A loader of webpack for Svelte components.
 *
 * @this {import('webpack').LoaderContext<unknown>}
 */
export default function svelteLoader() {
  const { code, map } = compileComponent(this.rootContext, this.resourcePath);
  this.callback(null, code, { ...map, sources: [this.resourcePath] });
}
