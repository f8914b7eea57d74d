import type { ConfigInput } from '../../packages/server/src/index.ts';
import type { Json } from './api-call.ts';
import { adminPassword, adminToken, sandboxSecret } from './credentials.ts';
import type { ServerConnection, Target } from './targets.ts';

/** A server on a target. It can be stopped and started again on the same storage. */
export class TestServer {
  readonly folder: string | null;
  readonly target: Target;
  connection: ServerConnection;
  /** Users that all tests of this server share, by their role. */
  readonly sharedUsers = new Map<string, Promise<Json>>();
  readonly #start: (settings: ConfigInput) => Promise<ServerConnection>;
  readonly #remove: () => Promise<void>;

  private constructor(
    target: Target,
    folder: string | null,
    connection: ServerConnection,
    start: (settings: ConfigInput) => Promise<ServerConnection>,
    remove: () => Promise<void>,
  ) {
    this.folder = folder;
    this.target = target;
    this.connection = connection;
    this.#start = start;
    this.#remove = remove;
  }

  static async start(target: Target, settings: ConfigInput): Promise<TestServer> {
    const { address, folder, remove } = await target.createStorage();
    const start = (more: ConfigInput): Promise<ServerConnection> =>
      target.startServer(address, {
        adminToken,
        adminPassword,
        logLevel: 'silent',
        registration: 'open',
        sandboxSecret,
        ...settings,
        ...more,
      });
    return new TestServer(target, folder, await start({}), start, remove);
  }

  /** Restarts on the same storage; `settings` are added to those of the first start. */
  async restart(settings: ConfigInput): Promise<void> {
    await this.connection.close();
    this.connection = await this.#start(settings);
  }

  /** Stops the server and removes its storage. */
  async stop(): Promise<void> {
    await this.connection.close();
    await this.#remove();
  }
}
