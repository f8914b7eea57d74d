import { randomBytes } from 'node:crypto';
import { ApiClient } from '@service/api-client';
import type { NewPersonalToken, Tokens } from '@service/protocol';
import type { Plugin } from 'vite';
import { DevMaps, type DevProject } from './dev-maps.ts';
import { log } from './log.ts';
import { startReportProxy } from './report-proxy.ts';
import { ServedModules } from './served-modules.ts';

const dashboardPath = '/__errors';

interface ErrorServer {
  apiKey: string;
  endpoint: string;
  /** The modules whose frames get original lines. Null until the dev server is there. */
  modules: ServedModules | null;
  signInLink(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts the reference server in memory with `vite dev`. The app reads key and endpoint from `import.meta.env`, and
 * `/__errors` opens the dashboard. Reports pass through a proxy, which uploads the maps of the modules in their stacks.
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
    configureServer(server) {
      if (!started) return;
      const { middlewares, config } = server;
      started.modules = new ServedModules(server);
      middlewares.use(started.modules.middleware);
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
    // The line must not suggest an install from npm, where anybody could register the name.
    log(
      '`dev` needs the package @service/server, which is not on npm. In a clone of the repository, run: npm run pack:server. Then run here: npm install --save-dev PATH/service-server-VERSION.tgz',
    );
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
  const { id: projectId, apiKey } = await service.createProject({ name: 'Development' });
  let project: Promise<DevProject> | null = null;
  const maps = new DevMaps(() => {
    project ??= service.signInLink(url).then(async (link) => ({ api: await openApi(url, link), projectId }));
    project.catch(() => (project = null));
    return project;
  });
  const proxy = await startReportProxy(url, async (body) =>
    started.modules ? maps.addDebugIds(body, started.modules) : body,
  );
  const started: ErrorServer = {
    apiKey,
    endpoint: proxy.url,
    modules: null,
    signInLink: () => service.signInLink(url),
    async close() {
      await proxy.close();
      await service.close();
    },
  };
  return started;
}

/** Uses a link to sign in, and creates a token that does not expire. */
async function openApi(endpoint: string, link: string): Promise<ApiClient> {
  const options = { endpoint, userAgent: 'service-bundler-plugin', retryDelaysMs: [] };
  const { access_token: token } = await new ApiClient({ ...options, token: '' }).call<Tokens>(
    'POST',
    '/auth/links/use',
    {
      body: { token: link.split('#sign-in=')[1] },
    },
  );
  const created = await new ApiClient({ ...options, token }).call<NewPersonalToken>('POST', '/auth/tokens', {
    body: { name: 'Source maps of vite dev' },
  });
  return new ApiClient({ ...options, token: created.token });
}
