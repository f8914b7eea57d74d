/// <reference types="node" />
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Svelte from 'svelte';
import { compile } from 'svelte/compiler';

const folder = import.meta.dirname;
const { resolve } = createRequire(import.meta.filename);

/** Imports Svelte by its path: by name, Node would get the server build, which cannot mount components. */
export async function importSvelte(): Promise<typeof Svelte> {
  const client = join(resolve('svelte/package.json'), '../src/index-client.js');
  return (await import(pathToFileURL(client).href)) as typeof Svelte;
}

/** Compiles a component of this folder for a browser and imports it. */
export async function importComponent<Props extends Record<string, unknown>>(
  file: string,
): Promise<Svelte.Component<Props>> {
  const source = await readFile(join(folder, file), 'utf8');
  const { js } = compile(source, { filename: file, generate: 'client' });
  const compiled = join(folder, '../../node_modules/.compiled', `${file}.js`);
  await mkdir(join(compiled, '..'), { recursive: true });
  await writeFile(compiled, js.code);
  const module = (await import(pathToFileURL(compiled).href)) as { default: Svelte.Component<Props> };
  return module.default;
}
