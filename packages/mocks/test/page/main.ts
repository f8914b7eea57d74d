import { MockService } from '@service/mocks/browser';
import * as sdk from '@service/browser';
import { setupWorker } from 'msw/browser';

/** The functions that a test calls in the page. */
export interface PageUnderTest {
  service: MockService;
  sdk: typeof sdk;
  /** Resolves once requests of the page reach the mocked service. */
  started: Promise<unknown>;
}

const service = new MockService();
Object.assign(globalThis, {
  service,
  sdk,
  started: setupWorker(...service.handlers).start({ quiet: true }),
} satisfies PageUnderTest);
