import { reactRouter } from '@react-router/dev/vite';
import { service } from '@service/bundler-plugin/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [reactRouter(), service({ release: 'router-1', strict: true })],
});
