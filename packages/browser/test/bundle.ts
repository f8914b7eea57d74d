/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rollup, type OutputOptions, type Plugin } from 'rollup';
import { vi } from 'vitest';

interface Config {
  entries: Record<string, string>;
  external: string[];
  compiled: Plugin;
  squeezed: Plugin;
  minified(toplevel: boolean): Plugin;
  modules(format: 'es' | 'cjs', extension: string, ...plugins: Plugin[]): OutputOptions;
}

const { entries, external, compiled, squeezed, minified, modules } =
  await vi.importActual<Config>('../rollup.config.mjs');

/** Builds the ES modules from the source, as they are published. Returns their code by file name. */
export async function buildModules(): Promise<Map<string, string>> {
  const bundle = await rollup({ input: entries, external, plugins: [compiled] });
  const { output } = await bundle.generate(modules('es', 'js', squeezed, minified(true)));
  await bundle.close();
  return new Map(output.map((file) => [file.fileName, 'code' in file ? file.code : '']));
}

/** Returns the ES modules in `dist`, by file name. */
export function readModules(): Map<string, string> {
  const dist = new URL('../dist/', import.meta.url);
  const names = readdirSync(dist).filter((name) => name.endsWith('.js'));
  return new Map(names.map((name) => [name, readFileSync(new URL(name, dist), 'utf8')]));
}

/** Builds the published script for pages without a bundler. */
export async function buildScript(): Promise<string> {
  const bundle = await rollup({ input: entries.index!, plugins: [compiled] });
  const { output } = await bundle.generate({
    format: 'iife',
    name: 'ServiceSDK',
    plugins: [squeezed, minified(false)],
  });
  await bundle.close();
  return output[0].code;
}

/**
 * Bundles a page whose entry point is `code`, as the page's own bundler would. `./NAME.js` imports a published module.
 * Modules that match `leftOut` are not bundled: frameworks by default.
 */
export async function bundlePage(
  code: string,
  published: Map<string, string>,
  leftOut: RegExp = /^(react|vue)$/,
): Promise<string> {
  const files = new Map([...published, ['page', code]]);
  const bundle = await rollup({
    input: 'page',
    // Bundlers of pages ignore "use client".
    onLog(level, log, handle) {
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
    },
    plugins: [
      {
        name: 'published',
        resolveId(id) {
          if (leftOut.test(id)) return { id, external: 'absolute' };
          return files.has(basename(id)) ? { id: basename(id), moduleSideEffects: id === 'page' } : null;
        },
        load: (id) => files.get(id) ?? null,
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'es', plugins: [minified(true)] });
  await bundle.close();
  return output[0].code;
}

/** Returns the code of a page that only starts the SDK. */
export const minimalPage = (entry: string): string =>
  `import { init } from './${entry}.js'; init({ apiKey: 'pk', endpoint: 'https://errors.test' });`;

export function gzipBytes(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}
