import { service } from '@service/bundler-plugin/vite';

export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  telemetry: false,
  nitro: { preset: 'node' },
  vite: { plugins: [service({ release: 'nuxt-1', strict: true })] },
});
