import { randomBytes } from 'node:crypto';
import type { Plugin } from 'vite';
import { log } from './log.ts';

const dashboardPath = '/__errors';

interface ErrorServer {
  apiKey: string;
  endpoint: string;
  signInLink(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts the reference server in memory with `vite dev`. The app reads key and endpoint from `import.meta.env`, and
 * `/__errors` opens the dashboard.
 */
export function errorServerPlugin(): Plugin {
  let started: ErrorServer | null = null;
  return {
    name: 'service-error-server',
    apply: 'serve',
    async config(_, { isPreview }) {
      if (isPreview) return {};
      started = await startErrorServer();
      if (!started) return {};
      return {
        define: {
          'import.meta.env.VITE_SERVICE_API_KEY': JSON.stringify(started.apiKey),
          'import.meta.env.VITE_SERVICE_ENDPOINT': JSON.stringify(started.endpoint),
        },
      };
    },
    configureServer({ middlewares, config }) {
      if (!started) return;
      const { signInLink } = started;
      config.logger.info(`  Errors of the app: ${dashboardPath}`);
      middlewares.use(dashboardPath, (_, response, next) => {
        signInLink().then(
          (location) => response.writeHead(302, { Location: location, 'Cache-Control': 'no-store' }).end(),
          next,
        );
      });
    },
    async buildEnd() {
      await started?.close();
      started = null;
    },
  };
}

/** Returns null if the package of the server is not installed. */
async function startErrorServer(): Promise<ErrorServer | null> {
  const server = await import('@service/server').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    log('`dev` needs the package @service/server: npm install --save-dev @service/server');
    return null;
  });
  if (!server) return null;
  const service = await server.createService({
    storage: 'memory:',
    port: 0,
    logLevel: 'silent',
    adminPassword: randomBytes(24).toString('base64url'),
  });
  const { url } = await service.listen();
  const { apiKey } = await service.createProject({ name: 'Development' });
  return { apiKey, endpoint: url, signInLink: () => service.signInLink(url), close: () => service.close() };
}
