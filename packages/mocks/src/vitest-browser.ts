import { setupWorker, type SetupWorker } from 'msw/browser';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { PageMockService } from './browser/page-mock-service.ts';
import type { ServiceMatchers } from './matchers/matchers.ts';
import type { MockService, MockServiceOptions } from './mock-service.ts';
import { registerService } from './register-service.ts';

export type { MockService } from './mock-service.ts';
export type * from './accepted-report.ts';
export type * from './error-group.ts';
export type * from './rejected-report.ts';

// Otherwise, the built declarations import nothing from Vitest, and TypeScript ignores the following ones.
export type { Assertion } from 'vitest';

declare module 'vitest' {
  interface Assertion<T> extends ServiceMatchers<void> {}
}

export interface MockServiceWorkerOptions extends MockServiceOptions {
  /** The worker of your other msw handlers, which your tests start and stop. By default the service has its own. */
  worker?: SetupWorker;
}

/**
 * Mocks the service in the browser mode of Vitest, as `mockService()` of `@service/mocks/vitest` does in Node.js. Needs
 * the plugin of `@service/mocks/vite`.
 */
export function mockService({ worker, ...options }: MockServiceWorkerOptions = {}): MockService {
  const own = worker ? null : setupWorker();
  return registerService({ afterAll, afterEach, beforeAll, beforeEach, expect }, new PageMockService(options), {
    use: (...handlers) => (worker ?? own)?.use(...handlers),
    start: async () => void (await own?.start({ onUnhandledRequest: 'bypass', quiet: true })),
    stop: () => own?.stop(),
  });
}
