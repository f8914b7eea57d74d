import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin as BuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
/**
 * Below `node_modules`, so that packages are found. A separate folder per run, because several may run concurrently.
 */
const folder = fileURLToPath(new URL(`../../node_modules/.workers/${process.pid}/`, import.meta.url));

/** Builds the worker threads when a test first needs one, because vitest does not transform their modules. */
export function builtWorkers(): Plugin {
  return {
    name: 'built-workers',
    async load(id) {
      if (id !== join(source, 'symbolication/workers/worker-file.ts')) return null;
      await (built ??= buildWorkers());
      return `export const workerFile = (name) => new URL(name + '.js', ${JSON.stringify(pathToFileURL(folder).href)});`;
    },
  };
}

let built: Promise<unknown> | null = null;

async function buildWorkers(): Promise<void> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    entryPoints: Object.fromEntries(
      files.filter((file) => file.endsWith('-worker.ts')).map((file) => [basename(file, '.ts'), join(source, file)]),
    ),
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    plugins: [ownPackages],
  });
}

/** The protocol is TypeScript, so it is bundled. */
const ownPackages: BuildPlugin = {
  name: 'own-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@service/') ? null : { path, external: true },
    );
  },
};
