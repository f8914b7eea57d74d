import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

/**
 * Gives the variables of `tokens.css` names of one letter. They are written hundreds of times, and the words are for
 * readers of the source: without them the styles are smaller by a fiftieth.
 */
function shortenVariables() {
  const tokens = readFileSync(new URL('src/styles/tokens.css', import.meta.url), 'utf8');
  const names = new Map();
  for (const [name] of tokens.matchAll(/--[\w-]+(?=:)/g)) names.set(name, `--${(names.size + 10).toString(36)}`);
  return {
    name: 'shorten-variables',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith('.css') ? code.replace(/--[\w-]+/g, (name) => names.get(name) ?? name) : null,
  };
}

export default defineConfig({
  plugins: [shortenVariables()],
  // The older form of JSX makes calls that are shorter by a tenth of the page's script.
  oxc: {
    jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
    jsxInject: `import { h, Fragment } from 'preact'`,
  },
  build: {
    // The server hands it out, and its package brings it along.
    outDir: '../server/public/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // Each knows light-dark() and anchors; for older ones each colour would be written twice.
    cssTarget: ['chrome131', 'firefox147', 'safari26'],
    minify: 'terser',
    terserOptions: {
      module: true,
      ecma: 2020,
      compress: { passes: 3, unsafe_arrows: true, pure_getters: true, inline: 1, unsafe: true },
      mangle: true,
    },
    // Every file under a hash, none inside of another: the policy of the page knows no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Advice on how long terser takes, which users of `npm start` would read as a fault.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  // For `vite dev`: the API and the session are those of a server that runs beside.
  server: { proxy: { '/api': { target: process.env.SERVICE_URL ?? 'http://127.0.0.1:4400', changeOrigin: true } } },
});
