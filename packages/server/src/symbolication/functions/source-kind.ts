import type { Dialect } from './parse-script.ts';

/** How a source is written, by the name of its file: a script, or a page with scripts in it. Null for what holds no code. */
export type SourceKind = Dialect | 'page';

const kinds: Readonly<Record<string, SourceKind | null>> = {
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

/** What has another ending, or none, is most often a script that a bundler has named after something. */
export function sourceKind(file: string): SourceKind | null {
  const path = file.split(/[?#]/, 1)[0] ?? '';
  const ending = /\.(\w{1,10})$/.exec(path.slice(-12))?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(kinds, ending) ? (kinds[ending] ?? null) : 'js';
}
