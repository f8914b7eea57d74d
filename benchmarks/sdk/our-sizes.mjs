import { pathToFileURL } from 'node:url';
import { entryLimits, maxAdapterBytes, maxSnippetBytes } from '../../packages/browser/test/size-limits.mjs';
import { bundle, exported, sizes } from './bundle.mjs';
import { products } from './products.mjs';

/**
 * The size of one of our entries, in bytes.
 *
 * @typedef {ReturnType<typeof sizes> & { name: string, atMost: number, aim?: number }} EntrySize
 */

/** The measured exports of adapters: a page imports only the one that it needs. */
const adapters = {
  react: ['ErrorBoundary', 'reactErrorHandlers'],
  vue: ['errorReporting'],
  svelte: ['captureBoundaryError'],
};
const frameworks = Object.keys(adapters);

/**
 * Measures the default entry and `errors` in a page that starts the SDK, the snippet, and the bytes that an adapter
 * adds to the default entry. The sizes of an entry that does not exist are NaN.
 *
 * @returns {Promise<EntrySize[]>}
 */
export async function ourSizes() {
  const start = products.find(({ id }) => id === 'service')?.start ?? '';
  const whole = sizes(await bundle(start));
  const errors = exported('./errors')
    ? sizes(await bundle(start.replace('@service/browser', '@service/browser/errors')))
    : unknown;
  const added = [];
  for (const [name, parts] of Object.entries(adapters)) {
    for (const part of parts) {
      const text = `${start}\nexport { ${part} } from '@service/browser/${name}';`;
      const bundling = { external: frameworks };
      const more = exported(`./${name}`)
        ? difference(sizes(await bundle(text, bundling)), sizes(await bundle(start, bundling)))
        : unknown;
      added.push({ name: `@service/browser/${name}, ${part}, added`, ...more, atMost: maxAdapterBytes });
    }
  }
  return [
    { name: '@service/browser', ...whole, ...checkOf('@service/browser') },
    { name: '@service/browser/errors', ...errors, ...checkOf('@service/browser/errors') },
    { name: '@service/browser/loader, snippet', ...(await snippetSizes()), atMost: maxSnippetBytes },
    ...added,
  ];
}

/** @param {string} entry */
function checkOf(entry) {
  const { max, budget } = entryLimits[entry];
  return { atMost: max, aim: budget };
}

const unknown = { minified: NaN, gzip: NaN, brotli: NaN };

async function snippetSizes() {
  const file = exported('./loader');
  return file ? sizes((await import(pathToFileURL(file).href)).snippet) : unknown;
}

/**
 * @param {ReturnType<typeof sizes>} more
 * @param {ReturnType<typeof sizes>} less
 */
function difference(more, less) {
  return {
    minified: more.minified - less.minified,
    gzip: more.gzip - less.gzip,
    brotli: more.brotli - less.brotli,
  };
}
