import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { PageServers } from './server/page-servers.ts';
import { serversPath } from './browser/page-message.ts';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error: unknown) => void) => void;

/** The parts of a Vite development server that are used here. */
interface DevServer {
  middlewares: { use(path: string, middleware: Middleware): unknown };
}

/** A plugin of Vite, as far as it is used here. */
export interface ServiceMocksPlugin {
  name: string;
  apply: 'serve';
  configureServer(server: DevServer): void;
  buildEnd(): Promise<void>;
}

/**
 * The Vite plugin for mocked services in a browser, such as the browser mode of Vitest and Storybook: runs their
 * servers, in memory, and serves the service worker of msw. Builds are not changed.
 */
export function serviceMocks(): ServiceMocksPlugin {
  const pages = new PageServers();
  return {
    name: 'service-mocks',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use(serversPath, (request, response, next) => {
        pages.respond(request, response).catch(next);
      });
      middlewares.use('/mockServiceWorker.js', (_, response, next) => {
        readFile(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'))).then(
          (script) => response.setHeader('Content-Type', 'text/javascript').end(script),
          next,
        );
      });
    },
    buildEnd: () => pages.close(),
  };
}
