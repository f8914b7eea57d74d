import { setupServer, type SetupServer } from 'msw/node';
import type { MockServiceOptions } from './mock-service.ts';
import type { MockedNetwork } from './test-hooks.ts';

export interface MockServiceTestOptions extends MockServiceOptions {
  /** The server of your other msw handlers, which your tests start and stop. By default the service has its own. */
  server?: SetupServer | undefined;
}

/** Returns the network of tests in Node.js. */
export function mockedNodeNetwork(server: SetupServer | undefined): MockedNetwork {
  const own = server ? null : setupServer();
  return {
    use: (...handlers) => (server ?? own)?.use(...handlers),
    start: async () => own?.listen({ onUnhandledRequest: 'bypass' }),
    stop: () => own?.close(),
  };
}
