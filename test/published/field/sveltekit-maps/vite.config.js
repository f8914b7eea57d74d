import { service } from '@service/bundler-plugin/vite';
import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
export default defineConfig({
  plugins: [sveltekit({ adapter: adapter() }), service({ release: 'kit-1', strict: true })],
});
