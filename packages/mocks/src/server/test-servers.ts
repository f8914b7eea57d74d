import { createService, type ConfigInput, type Service } from '@service/server';
import type { ServerKind, ServerOptions } from './messages.ts';

const otherOrigin = 'https://allowed.example.com';
const otherKey = `pk_${'unknown'.repeat(6)}`;

interface TestServer {
  service: Service;
  projectId: number;
}

/** The real servers of one test file, each in memory and started when it gets its first request. */
export class TestServers {
  readonly #options: ServerOptions;
  readonly #started = new Map<ServerKind, Promise<TestServer>>();
  #lastReset: Promise<void> = Promise.resolve();

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async fetch(kind: ServerKind, request: Request): Promise<Response> {
    const { service } = await this.#server(kind);
    return service.fetch(request);
  }

  /** Forgets every group and report. Concurrent tests may end at the same time: one reset runs after the other. */
  reset(): Promise<void> {
    const reset = this.#lastReset.then(() => this.#replaceProject());
    // The caller handles a failure. It must not fail the next reset too.
    this.#lastReset = reset.catch(() => undefined);
    return reset;
  }

  async close(): Promise<void> {
    const servers = await Promise.all(this.#started.values());
    this.#started.clear();
    await Promise.all(servers.map(({ service }) => service.close()));
  }

  async #replaceProject(): Promise<void> {
    const server = await this.#started.get('accepting');
    if (!server) return;
    const response = await server.service.fetch(
      new Request(`http://localhost/api/v1/projects/${server.projectId}`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${this.#options.settings.adminToken}` },
      }),
    );
    // The test may have deleted the project.
    if (!response.ok && response.status !== 404)
      throw new Error(`The mocked service could not be reset: ${await response.text()}`);
    server.projectId = (await this.#createProject(server.service, this.#options.apiKey)).id;
  }

  #server(kind: ServerKind): Promise<TestServer> {
    const known = this.#started.get(kind);
    if (known) return known;
    const started = this.#start(kind);
    this.#started.set(kind, started);
    return started;
  }

  async #start(kind: ServerKind): Promise<TestServer> {
    const service = await createService(settingsOf(kind, this.#options));
    const { id } = await this.#createProject(service, kind === 'other-key' ? otherKey : this.#options.apiKey);
    return { service, projectId: id };
  }

  #createProject(service: Service, apiKey: string): Promise<{ id: number }> {
    return service.createProject({ name: 'Tests', apiKey });
  }
}

function settingsOf(kind: ServerKind, { settings }: ServerOptions): ConfigInput {
  return {
    logLevel: 'silent',
    corsOrigins: ['*'],
    ...settings,
    storage: 'memory:',
    // A server accepts its own origin too, which may be that of the page.
    ...(kind === 'other-origins' && { baseUrl: otherOrigin, corsOrigins: [otherOrigin] }),
    ...(kind === 'without-quota' && { errorQuota: 0 }),
  };
}
