import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // Relative URLs, so that the page works below any path.
  base: './',
  build: {
    // Component stacks consist of function names: with the original names they read Basket, not t.
    rolldownOptions: { output: { minify: { mangle: { keepNames: true } } } },
  },
});
