import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { ServiceMatchers } from './matchers/matchers.ts';
import type { MockService } from './mock-service.ts';
import { mockedNodeNetwork } from './mocked-node-network.ts';
import type { MockServiceTestOptions } from './mock-service-test-options.ts';
import { NodeMockService } from './node-mock-service.ts';
import { registerService } from './register-service.ts';

export type { MockService } from './mock-service.ts';
export type { MockServiceTestOptions } from './mock-service-test-options.ts';
export type * from './accepted-report.ts';
export type * from './error-group.ts';
export type * from './rejected-report.ts';

// Without this export, the built declarations import nothing from Vitest, and TypeScript ignores the module below.
export type { Assertion } from 'vitest';

declare module 'vitest' {
  interface Assertion<T> extends ServiceMatchers<void> {}
}

/**
 * Mocks the service in the tests of a file, or of the `describe` that it is called in. Between tests it forgets all
 * reports and resets the SDK. A test fails if the app sends a report that the test does not check.
 */
export function mockService({ server, ...options }: MockServiceTestOptions = {}): MockService {
  return registerService(
    { afterAll, afterEach, beforeAll, beforeEach, expect },
    new NodeMockService(options),
    mockedNodeNetwork(server),
  );
}
