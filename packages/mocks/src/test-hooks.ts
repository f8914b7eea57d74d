import { setupServer, type SetupServer } from 'msw/node';
import { finishTest } from './finish-test.ts';
import { serviceMatchers } from './matchers/matchers.ts';
import { MockService, type MockServiceOptions } from './mock-service.ts';

export interface MockServiceTestOptions extends MockServiceOptions {
  /** The server of your other msw handlers, which your tests start and stop. By default the service has its own. */
  server?: SetupServer;
}

/** The functions of a test runner. */
export interface TestRunner {
  beforeAll(run: () => Promise<void>): void;
  beforeEach(run: () => void): void;
  afterEach(run: () => Promise<void>): void;
  afterAll(run: () => Promise<void>): void;
  expect: { extend(matchers: typeof serviceMatchers): void };
}

/** Creates a service and lets a test runner start, reset and stop it. */
export function registerService(runner: TestRunner, { server, ...options }: MockServiceTestOptions): MockService {
  const service = new MockService(options);
  const own = server ? null : setupServer();
  runner.expect.extend(serviceMatchers);
  runner.beforeAll(async () => {
    own?.listen({ onUnhandledRequest: 'bypass' });
    await service.start();
  });
  const network = server ?? own;
  runner.beforeEach(() => network?.use(...service.handlers));
  runner.afterEach(() => {
    // The test may have reset the handlers already, and the app may still send reports.
    network?.use(...service.handlers);
    return finishTest(service);
  });
  runner.afterAll(async () => {
    own?.close();
    await service.close();
  });
  return service;
}
