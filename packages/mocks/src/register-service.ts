import type { RequestHandler } from 'msw';
import { finishTest } from './finish-test.ts';
import { serviceMatchers } from './matchers/matchers.ts';
import type { MockService } from './mock-service.ts';

/** The functions of a test runner. */
export interface TestRunner {
  beforeAll(run: () => Promise<void>): void;
  beforeEach(run: () => void): void;
  afterEach(run: () => Promise<void>): void;
  afterAll(run: () => Promise<void>): void;
  expect: { extend(matchers: typeof serviceMatchers): void };
}

/** The msw server or worker of a test. `start` and `stop` do nothing if the tests of the user start and stop it. */
export interface MockedNetwork {
  use(...handlers: RequestHandler[]): void;
  start(): Promise<void>;
  stop(): void;
}

/** Lets a test runner start, reset and stop a service. Returns the service. */
export function registerService(runner: TestRunner, service: MockService, network: MockedNetwork): MockService {
  runner.expect.extend(serviceMatchers);
  runner.beforeAll(async () => {
    await network.start();
    await service.start();
  });
  runner.beforeEach(() => network.use(...service.handlers));
  runner.afterEach(() => {
    // The test may have reset the handlers already, and the app may still send reports.
    network.use(...service.handlers);
    return finishTest(service);
  });
  runner.afterAll(async () => {
    network.stop();
    await service.close();
  });
  return service;
}
