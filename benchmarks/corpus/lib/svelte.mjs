import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

/**
 * Compiles a component with the Svelte of the app.
 *
 * @param {string} folder of the app
 * @param {string} path
 * @returns {{ code: string, map: any }}
 */
export function compileComponent(folder, path) {
  const { compile } = createRequire(join(folder, 'package.json'))('svelte/compiler');
  const { js } = compile(readFileSync(path, 'utf8'), { filename: path, generate: 'client', dev: false });
  return { code: js.code, map: { ...js.map, sources: [basename(path)] } };
}

const component = /\.svelte$/;

/**
 * @param {string} folder
 * @returns {import('esbuild').Plugin}
 */
export function svelteForEsbuild(folder) {
  return {
    name: 'svelte',
    setup({ onLoad }) {
      onLoad({ filter: component }, ({ path }) => {
        const { code, map } = compileComponent(folder, path);
        const inline = Buffer.from(JSON.stringify(map)).toString('base64');
        return { contents: `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}`, loader: 'js' };
      });
    },
  };
}

/** @param {string} folder */
export function svelteForVite(folder) {
  return {
    name: 'svelte',
    /** @param {string} path */
    load: (path) => (component.test(path) ? compileComponent(folder, path) : null),
  };
}
