import { service } from '@service/bundler-plugin/vite';
import { solidStart } from '@solidjs/start/config';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [solidStart(), service({ release: 'solid-1', strict: true })],
});
