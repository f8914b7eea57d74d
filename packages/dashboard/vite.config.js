import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';
import { productName } from './src/product-name.ts';

/**
 * Shortens the names of the variables in `tokens.css`, which are used hundreds of times. It makes the styles 2 % smaller
 * and leaves readable names in the source.
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

const setTitle = { name: 'set-title', transformIndexHtml: (html) => html.replace('%product-name%', productName) };

export default defineConfig({
  plugins: [shortenVariables(), setTitle],
  // The classic JSX transform generates shorter calls: the script is 4 % smaller, and 1 % with gzip.
  oxc: {
    jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
    jsxInject: `import { h, Fragment } from 'preact'`,
  },
  build: {
    // The server serves these files, and its package contains them.
    outDir: '../server/public/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // All of these support light-dark() and anchor positioning. For older ones, each color would be written twice.
    cssTarget: ['chrome131', 'firefox147', 'safari26'],
    minify: 'terser',
    terserOptions: {
      module: true,
      ecma: 2020,
      compress: { passes: 3, unsafe_arrows: true, pure_getters: true, inline: 1, unsafe: true },
      mangle: true,
    },
    // The content security policy allows no `data:` URLs, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    // The timings of terser would look like a problem to a user of `npm start`.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  // For `vite dev`: requests to the API go to a server that is already running.
  server: { proxy: { '/api': { target: process.env.SERVICE_URL ?? 'http://127.0.0.1:4400', changeOrigin: true } } },
});
