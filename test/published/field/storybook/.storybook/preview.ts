import { init } from '@service/browser';
import { MockService, serviceMatchers } from '@service/mocks/browser';
import type { Preview } from '@storybook/html-vite';
import { setupWorker } from 'msw/browser';
import { expect } from 'storybook/test';

export const service = new MockService();

expect.extend(serviceMatchers);

export default {
  async beforeAll() {
    await setupWorker(...service.handlers).start({ onUnhandledRequest: 'bypass' });
    init({ apiKey: service.apiKey, endpoint: service.endpoint });
  },
  beforeEach: () => service.reset(),
} satisfies Preview;
