import { defineConfig } from 'vite';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    // The server hands it out, and its package brings it along.
    outDir: '../server/public/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // Every file under a hash, none inside of another: the policy of the page knows no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // For `vite dev`: the API and the session are those of a server that runs beside.
  server: { proxy: { '/api': { target: process.env.SERVICE_URL ?? 'http://127.0.0.1:4400', changeOrigin: true } } },
});
