/// <reference types="node" />
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compile } from 'svelte/compiler';

const { resolve } = createRequire(import.meta.url);

/** For Vite: components of Svelte, run as in a browser. */
export const compileSvelte = {
  name: 'compile-svelte',
  enforce: 'pre' as const,
  // Node would be given the Svelte of servers, which can't mount anything.
  resolveId: (id: string) =>
    id === 'svelte' ? join(dirname(resolve('svelte/package.json')), 'src/index-client.js') : undefined,
  transform: (code: string, filename: string) =>
    filename.endsWith('.svelte') ? compile(code, { filename, generate: 'client', css: 'injected' }).js : undefined,
};
