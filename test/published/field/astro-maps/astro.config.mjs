import node from '@astrojs/node';
import { service } from '@service/bundler-plugin/vite';
import { defineConfig } from 'astro/config';

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'middleware' }),
  vite: { plugins: [service({ release: 'astro-1', strict: true })] },
});
