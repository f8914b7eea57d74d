import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const provider = playwright({
  launchOptions: { executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium', args: ['--no-sandbox'] },
});

export default defineConfig({
  test: {
    include: ['*.cases.ts'],
    globalSetup: './start-service.ts',
    browser: { enabled: true, headless: true, provider, instances: [{ browser: 'chromium' }] },
  },
});
