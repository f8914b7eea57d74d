import { sentryVitePlugin } from '@sentry/vite-plugin';
import { defineConfig } from 'vite';

export default defineConfig({
  build: { sourcemap: 'hidden', rollupOptions: { input: ['index.html', 'seven.html'] } },
  plugins: [
    sentryVitePlugin({
      url: process.env.SENTRY_URL,
      authToken: process.env.SENTRY_AUTH_TOKEN,
      org: 'any',
      project: 'Shop',
      release: { name: 'shop@1.0.0' },
      telemetry: false,
    }),
  ],
});
