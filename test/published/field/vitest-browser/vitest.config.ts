import { serviceMocks } from '@service/mocks/vite';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const provider = playwright({
  launchOptions: { executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium', args: ['--no-sandbox'] },
});

export default defineConfig({
  plugins: [serviceMocks()],
  test: {
    include: ['*.cases.ts'],
    browser: { enabled: true, headless: true, provider, instances: [{ browser: 'chromium' }] },
  },
});
