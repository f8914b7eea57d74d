import type { SetupServer } from 'msw/node';
import type { MockServiceOptions } from './mock-service.ts';

export interface MockServiceTestOptions extends MockServiceOptions {
  /** The server of your other msw handlers, which your tests start and stop. By default the service has its own. */
  server?: SetupServer | undefined;
}
