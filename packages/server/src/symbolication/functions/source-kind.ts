import type { Dialect } from './parse-script.ts';

/** The kind of a source: a script dialect, or a page that contains scripts. */
export type SourceKind = Dialect | 'page';

const kindOfExtension: Readonly<Record<string, SourceKind | null>> = {
  js: 'js',
  jsx: 'js',
  mjs: 'js',
  cjs: 'js',
  ts: 'ts',
  mts: 'ts',
  cts: 'ts',
  tsx: 'tsx',
  vue: 'page',
  svelte: 'page',
  astro: null,
  css: null,
  scss: null,
  sass: null,
  less: null,
  json: null,
  html: null,
  wasm: null,
};

/**
 * Returns the kind of a source by its extension, or null if no functions are read from such files. A file with an
 * unknown extension, or none, is most often a script that a bundler named after something else.
 */
export function sourceKind(file: string): SourceKind | null {
  const path = file.split(/[?#]/, 1)[0] ?? '';
  const ending = /\.(\w{1,10})$/.exec(path.slice(-12))?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(kindOfExtension, ending) ? (kindOfExtension[ending] ?? null) : 'js';
}
