import type { H3 } from 'h3';
import { createApp } from './app.ts';
import type { FirstStart } from './teams/first-owner.ts';
import { operatorOwner, operatorOwnerId } from './teams/operator-team.ts';
import { createSignInLink } from './accounts/sign-in.ts';
import { startBackground } from './background.ts';
import { openControlSocket } from './commands/control-socket.ts';
import { parseConfig, type ConfigInput } from './config.ts';
import { createRequestHandler } from './http-server/request-handler.ts';
import { startHttpServer, type HttpServer } from './http-server/http-server.ts';
import { addProject } from './projects/add-project.ts';
import { openServices } from './services.ts';

export { ConfigError, readConfig, type Config, type ConfigInput } from './config.ts';
export { DamagedStorageError } from './store/log/storage-errors.ts';
export { LockedStorageError } from './storage/file/file-lock.ts';
export type { FirstStart } from './teams/first-owner.ts';

/**
 * A running service for use within another program. Unlike `service-server`, it reads commands only after
 * `acceptCommands()`, and does not share a PostgreSQL with other servers.
 */
export interface Service {
  readonly app: H3;
  /** Handles a request without a socket. */
  fetch(request: Request): Promise<Response>;
  /** Listens on the configured host and port; resolves with the base URL. */
  listen(): Promise<{ url: string }>;
  /**
   * Opens the local socket through which commands such as `service-server backup` of the same user reach this process.
   * Without it, these commands fail while this process uses the storage. Only a backup of a Redis or PostgreSQL does
   * not need it. `close()` closes the socket.
   */
  acceptCommands(): Promise<void>;
  /** Finishes pending requests, makes their writes durable and releases the storage. */
  close(): Promise<void>;
  /** The owner whose password this start has set; null if a password was stored before. */
  readonly firstStart: FirstStart | null;
  /**
   * The storage, and which failures an accepted report survives. `lost` resolves once another server owns the
   * storage, or the storage has lost writes: then close this service.
   */
  readonly storage: { name: string; durability: string; lost?: Promise<Error> };
  /**
   * Creates a project of the operator's team, for programs that start with one. By default the server chooses the API
   * key: `pk_` and 43 random characters. Rejects with a `TypeError` for a name or key of another form, or a key in use.
   */
  createProject(project: { name: string; apiKey?: string }): Promise<{ id: number; name: string; apiKey: string }>;
  /** Creates a link that signs in the owner of the operator's team, once, within 24 hours. */
  signInLink(baseUrl: string): Promise<string>;
}

/**
 * Starts a service on its storage. Rejects with a `ConfigError` for an invalid setting, a `LockedStorageError` if
 * another process uses the file or folder of the storage, a `DamagedStorageError` if its data is damaged, and another
 * error if the storage can't be used.
 */
export async function createService(config: ConfigInput = {}): Promise<Service> {
  const services = await openServices(parseConfig(config));
  const app = createApp(services);
  startBackground(services);
  const firstStart = await services.ownerSetup.attempt.catch(async (error: unknown) => {
    await services.close();
    throw error;
  });
  let server: Promise<HttpServer> | null = null;
  let control: Promise<() => void> | null = null;
  return {
    app,
    fetch: async (request) => app.fetch(request),
    async listen() {
      server ??= startHttpServer(services, async () => createRequestHandler(services, app)).catch((error: unknown) => {
        server = null;
        throw error;
      });
      await server;
      return { url: services.baseUrl };
    },
    async acceptCommands() {
      control ??= openControlSocket({ services, isActive: true, otherHolder: null });
      await control;
    },
    async close() {
      (await control)?.();
      await (await server?.catch(() => null))?.stop();
      await services.close();
    },
    firstStart,
    storage: services.store.driver,
    createProject: (project) => addProject(services, project),
    signInLink: (baseUrl) =>
      createSignInLink(services, operatorOwner(services.store.model)?.id ?? operatorOwnerId, baseUrl),
  };
}
