import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { ServiceMatchers } from './matchers/matchers.ts';
import type { MockService } from './mock-service.ts';
import { registerService, type MockServiceTestOptions } from './test-hooks.ts';

export type { MockService } from './mock-service.ts';
export type { MockServiceTestOptions } from './test-hooks.ts';
export type * from './report.ts';

// Otherwise, the built declarations import nothing from Vitest, and TypeScript ignores the following ones.
export type { Assertion } from 'vitest';

declare module 'vitest' {
  interface Assertion<T> extends ServiceMatchers<void> {}
}

/**
 * Mocks the service in the tests of a file, or of the `describe` that it is called in. Between tests it forgets all reports
 * and resets the SDK. A test fails if the app reports what it does not expect.
 */
export function mockService(options: MockServiceTestOptions = {}): MockService {
  return registerService({ afterAll, afterEach, beforeAll, beforeEach, expect }, options);
}
