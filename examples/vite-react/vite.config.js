import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // Works below any path.
  base: './',
  build: {
    // Component stacks are made of the names of functions: they say Basket then, and not t.
    rolldownOptions: { output: { minify: { mangle: { keepNames: true } } } },
  },
});
