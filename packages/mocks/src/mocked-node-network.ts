import { setupServer, type SetupServer } from 'msw/node';
import type { MockedNetwork } from './register-service.ts';

/** Returns the network of tests in Node.js. */
export function mockedNodeNetwork(server: SetupServer | undefined): MockedNetwork {
  const own = server ? null : setupServer();
  return {
    use: (...handlers) => (server ?? own)?.use(...handlers),
    start: async () => own?.listen({ onUnhandledRequest: 'bypass' }),
    stop: () => own?.close(),
  };
}
