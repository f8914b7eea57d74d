import type { H3 } from 'h3';
import { createApp } from './app.ts';
import { operatorOwner, operatorOwnerId, type FirstStart } from './credentials/first-owner.ts';
import { createSignInLink } from './accounts/sign-in.ts';
import { startBackground } from './background.ts';
import { parseConfig, type ConfigInput } from './config.ts';
import { createListener } from './http-server/request-handler.ts';
import { listen, type Listening } from './http-server/http-server.ts';
import { openServices } from './services.ts';

export { ConfigError, readConfig, type Config, type ConfigInput } from './config.ts';
export { DamagedStorageError } from './store/log/driver.ts';
export { LockedStorageError } from './storage/file/file-lock.ts';
export type { FirstStart } from './credentials/first-owner.ts';

/** A running service: everything the program does, for use within another one. */
export interface Service {
  readonly app: H3;
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>;
  /** Listens on the configured host and port; resolves with the base URL. */
  listen(): Promise<{ url: string }>;
  /** Answers what is in flight, makes it durable and lets go of the storage. */
  close(): Promise<void>;
  /** The owner that was made, if this was the first start on this storage. */
  readonly firstStart: FirstStart | null;
  /** What an answered report survives, in words. `lost` resolves once another server has the storage: close this one then. */
  readonly storage: { name: string; promise: string; lost?: Promise<Error> };
  /** Makes a link that signs the owner in, once, within 24 hours. */
  signInLink(baseUrl: string): Promise<string>;
}

/**
 * Starts a service on its storage. Rejects with a ConfigError for a setting that can't be used, a LockedStorageError
 * if another server holds the storage, and a DamagedStorageError if what it holds can't be trusted.
 */
export async function createService(config: ConfigInput = {}): Promise<Service> {
  const services = await openServices(parseConfig(config));
  const app = createApp(services);
  startBackground(services);
  const firstStart = await services.ownerSetup.attempt.catch(async (error: unknown) => {
    await services.close();
    throw error;
  });
  let listening: Promise<Listening> | null = null;
  return {
    app,
    fetch: async (request) => app.fetch(request),
    async listen() {
      listening ??= listen(services, async () => createListener(services, app)).catch((error: unknown) => {
        listening = null;
        throw error;
      });
      await listening;
      return { url: services.baseUrl };
    },
    async close() {
      await (await listening?.catch(() => null))?.stop();
      await services.close();
    },
    firstStart,
    storage: services.store.driver,
    signInLink: (baseUrl) =>
      createSignInLink(services, operatorOwner(services.store.model)?.id ?? operatorOwnerId, baseUrl),
  };
}
