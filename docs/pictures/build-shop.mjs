import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';

const folder = join(import.meta.dirname, 'shop');
const origin = 'https://roastery.example';

/**
 * Builds the shop of the screenshots, minified for production. Its errors are really thrown by this code.
 *
 * @typedef {Awaited<ReturnType<typeof buildShop>>} Shop
 */
export async function buildShop() {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'main.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'shop',
    sourcemap: 'external',
    outfile: 'shop.js',
    write: false,
  });
  const text = (/** @type {string} */ ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const code = text('.js');
  const map = JSON.parse(text('.map'));
  map.sources = map.sources.map((/** @type {string} */ source) => `src/${source.split('/').at(-1)}`);

  return {
    map,
    /** @param {string} release */
    fileOf: (release) => `app-${release.replaceAll('.', '')}fK2.js`,
    /**
     * Runs a failing handler of the shop and returns the thrown error in the form of a browser.
     *
     * @param {string} release
     * @param {string} handler
     * @param {unknown[]} given
     */
    fail(release, handler, given) {
      const file = `${origin}/assets/${this.fileOf(release)}`;
      const context = { given, thrown: /** @type {any} */ (null), Intl, Date };
      runInNewContext(code, context, file);
      runInNewContext(`try { shop.on.${handler}(...given); } catch (error) { thrown = error; }`, context, 'handler');
      const { name, message, stack } = context.thrown;
      // Frames outside the bundle and the language belong to this program, so a browser would not have them.
      const calls = String(stack)
        .split('\n')
        .filter((line) => line.startsWith('    at ') && (line.includes(origin) || line.includes('<anonymous>')));
      return { type: name, message, stacktrace: [`${name}: ${message}`, ...calls].join('\n') };
    },
  };
}
