import type { ConfigInput } from '@service/server';
import { http, HttpResponse, type RequestHandler } from 'msw';
import { isReadableByPage, originOf } from './cors.ts';
import type { AcceptedReport } from './accepted-report.ts';
import type { ErrorGroup } from './error-group.ts';
import type { RejectedReport } from './rejected-report.ts';
import { ReportLog } from './report-log.ts';
import { normal, type Scenario } from './scenario.ts';
import { readReport, repeatIdOf, type SentReport } from './sent-report.ts';
import type { SentRequest, ServerOptions } from './server/messages.ts';
import type { ServerClient } from './server/server-client.ts';

export interface MockServiceOptions {
  /** The `endpoint` that the app gives to `init()`. Default: `http://localhost:4400`. */
  endpoint?: string;
  /** The `apiKey` that the app gives to `init()`: `pk_` and at least 32 letters, digits, `_` or `-`. */
  apiKey?: string;
  /** Settings of the server, by their names in its config file. The storage is always in memory. */
  settings?: Omit<ConfigInput, 'storage'>;
}

/** The token with which a test reads the groups. */
const adminToken = 'token-of-the-mocked-service';
const defaultEndpoint = 'http://localhost:4400';
const defaultApiKey = `pk_${'mocked-'.repeat(6)}`;
const reportPath = '/api/v1/errors';
/** The origin that a test without a page sends in the scenario about origins. */
const anyOrigin = 'http://localhost:3000';

const logs = new WeakMap<MockService, ReportLog>();

/** Returns what was reported to a service, for matchers. */
export function reportLogOf(service: MockService): ReportLog {
  const log = logs.get(service);
  if (!log) throw new TypeError('Expected the service that mockService() has returned.');
  return log;
}

/**
 * The mocked service of a test: the real server in memory, which receives what the app sends to the endpoint, and a log
 * of the reports. Nothing listens on a port.
 */
export class MockService {
  readonly endpoint: string;
  readonly apiKey: string;
  /** For `setupServer()` of msw. */
  readonly handlers: RequestHandler[];
  readonly #client: ServerClient;
  readonly #adminToken: string;
  #scenario: Scenario = normal;
  #delayMs = 0;
  readonly #log = new ReportLog();

  constructor(
    { endpoint = defaultEndpoint, apiKey = defaultApiKey, settings = {} }: MockServiceOptions,
    createClient: (options: ServerOptions) => ServerClient,
  ) {
    this.endpoint = endpoint.replace(/\/+$/, '');
    this.apiKey = apiKey;
    this.#adminToken = settings.adminToken ?? adminToken;
    // Any other scheme, such as that of `localhost:4400`, has no origin that the server accepts.
    const baseUrl = /^https?:/i.test(endpoint) && URL.canParse(endpoint) ? new URL(endpoint).origin : null;
    this.#client = createClient({ apiKey, settings: { baseUrl, ...settings, adminToken: this.#adminToken } });
    logs.set(this, this.#log);
    this.handlers = [http.all(`${this.endpoint}/api/v1/*`, ({ request }) => this.#fetchAsPage(request))];
  }

  /** The reports that the service has accepted, oldest first. Reading them counts as expecting all of them. */
  get reports(): readonly AcceptedReport[] {
    this.#log.expect(this.#log.accepted);
    return [...this.#log.accepted];
  }

  /** The reports that the service has rejected, or that did not arrive. */
  get rejected(): readonly RejectedReport[] {
    return [...this.#log.rejected];
  }

  /** Resolves with the first 100 groups, newest first. Counts as expecting all reports. */
  async groups(): Promise<ErrorGroup[]> {
    this.#log.expect(this.#log.accepted);
    const response = await this.#client.fetch('accepting', {
      method: 'GET',
      path: `${reportPath}?size=100`,
      headers: [['authorization', `Bearer ${this.#adminToken}`]],
      body: null,
    });
    const page = (await response.json()) as { items: ErrorGroup[] };
    return page.items;
  }

  /** From now on the quota is used up: 429. The SDK then sends nothing more until its page is reloaded. */
  quotaExhausted(): void {
    this.#scenario = { type: 'server', server: 'without-quota' };
  }

  /** From now on the server does not know the API key: 401. */
  wrongKey(): void {
    this.#scenario = { type: 'server', server: 'other-key' };
  }

  /** From now on the origin of the page is not on the server's list: 403. */
  originNotAllowed(): void {
    this.#scenario = { type: 'server', server: 'other-origins' };
  }

  /** From now on the browser has no network, and `navigator.onLine` is false. */
  offline(): void {
    this.#scenario = { type: 'offline' };
    setOnline(false);
  }

  /** From now on a proxy responds with 503, because the server behind it has stopped. */
  serverDown(): void {
    this.#scenario = { type: 'down' };
  }

  /** From now on each response takes this many milliseconds longer. Fake timers apply. */
  slow(ms: number): void {
    this.#delayMs = ms;
  }

  /** Ends every scenario: reports arrive again. */
  recover(): void {
    const wasOffline = this.#scenario.type === 'offline';
    this.#scenario = normal;
    this.#delayMs = 0;
    if (wasOffline) setOnline(true);
  }

  /** Allows reports that this test does not check. */
  allowReports(): void {
    this.#log.allowsAll = true;
  }

  /**
   * Responds to a request as the service does, for drivers other than msw. A response of type `error` is a network
   * error.
   */
  async fetch(request: Request): Promise<Response> {
    this.#log.pending++;
    try {
      return await this.#respond(request);
    } finally {
      this.#log.pending--;
    }
  }

  /** Starts the server. Without this the first request starts it, and waits for it. */
  async start(): Promise<void> {
    await this.groups();
  }

  /** Forgets reports and groups, and ends every scenario. */
  async reset(): Promise<void> {
    this.recover();
    this.#log.clear();
    await this.#client.reset();
  }

  /** Stops the server. */
  async close(): Promise<void> {
    this.recover();
    await this.#client.close();
  }

  async #fetchAsPage(request: Request): Promise<Response> {
    const response = await this.fetch(request);
    return isReadableByPage(request, response, originOf(request)) ? response : HttpResponse.error();
  }

  async #respond(request: Request): Promise<Response> {
    const scenario = this.#scenario;
    if (this.#delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.#delayMs));
    const sent = await readRequest(request, scenario);
    const isReport = request.method === 'POST' && sent.path.split('?')[0] === reportPath;
    if (scenario.type === 'offline') {
      if (isReport) await this.#reject(sent, null, 'offline');
      return HttpResponse.error();
    }
    if (isRejectedPreflight(request, scenario)) return allowPreflight(request);
    const response =
      scenario.type === 'down'
        ? new HttpResponse('Service Unavailable', { status: 503 })
        : await this.#client.fetch(scenario.server, sent);
    if (!isReport) return response;
    const { status, statusText, headers } = response;
    const body = await response.arrayBuffer();
    // Not `response.clone()`: when Node.js 20.19 collects the clone as garbage, it ends the body of the response.
    const copy = (): Response => new Response(body, { status, statusText, headers });
    await this.#record(sent, copy());
    return copy();
  }

  async #record(sent: SentRequest, response: Response): Promise<void> {
    const body = await response.json().catch(() => ({}));
    if (!response.ok)
      return this.#reject(sent, response.status, `${body.code ?? response.statusText}: ${body.detail ?? ''}`);
    // The SDK leaves out the level `error`, which is the default of the server.
    const { project_api_key: _, ...report }: SentReport = { level: 'error', ...(await readReport(sent)) };
    const { error_group_id, fingerprint, is_new_group } = body;
    // The SDK sends a report again if a response takes too long. The server counts it once.
    const repeatId = repeatIdOf(report);
    if (repeatId !== null && this.#log.accepted.some((accepted) => repeatIdOf(accepted) === repeatId)) return;
    this.#log.accepted.push({ ...report, error_group_id, fingerprint, is_new_group } as AcceptedReport);
  }

  async #reject(sent: SentRequest, status: number | null, reason: string): Promise<void> {
    const { message } = await readReport(sent);
    this.#log.rejected.push({ message, status, reason });
  }
}

/**
 * Returns whether a scenario would reject a preflight, after which no report is sent that could be recorded. Most
 * environments send none; with msw 3, happy-dom does, without the headers of a preflight.
 */
function isRejectedPreflight({ method }: Request, scenario: Scenario): boolean {
  if (method !== 'OPTIONS') return false;
  return scenario.type === 'down' || (scenario.type === 'server' && scenario.server === 'other-origins');
}

function allowPreflight({ headers }: Request): Response {
  return new HttpResponse(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': headers.get('access-control-request-headers') ?? 'content-type',
    },
  });
}

async function readRequest(request: Request, scenario: Scenario): Promise<SentRequest> {
  const { pathname, search } = new URL(request.url);
  const headers = [...request.headers];
  const needsOrigin = scenario.type === 'server' && scenario.server === 'other-origins';
  const origin = originOf(request) ?? (needsOrigin ? anyOrigin : null);
  if (origin !== null && !request.headers.has('origin')) headers.push(['origin', origin]);
  const bytes = new Uint8Array(await request.clone().arrayBuffer());
  const body = ['GET', 'HEAD'].includes(request.method) ? null : bytes;
  return { method: request.method, path: pathname + search, headers, body };
}

function setOnline(isOnline: boolean): void {
  const { navigator, dispatchEvent, Event: PageEvent } = globalThis;
  if (typeof dispatchEvent !== 'function' || navigator === undefined) return;
  if (isOnline) Reflect.deleteProperty(navigator, 'onLine');
  else Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
  dispatchEvent(new PageEvent(isOnline ? 'online' : 'offline'));
}
