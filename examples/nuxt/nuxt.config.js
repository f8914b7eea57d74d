const { SERVICE_KEY: apiKey, SERVICE_URL: endpoint = 'http://127.0.0.1:4400' } = process.env;

export default defineNuxtConfig({
  ssr: false,
  compatibilityDate: '2026-01-01',
  telemetry: false,
  app: { head: { link: [{ rel: 'icon', href: 'data:,' }] } },
  modules: [['@service/browser/nuxt', { apiKey, endpoint, release: '1.0.0' }]],
});
