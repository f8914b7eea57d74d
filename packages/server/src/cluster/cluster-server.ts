import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isEveryAddress, type Config } from '../config.ts';
import { corsHeaders } from '../http/cors.ts';
import { addressOfSocket, setForwardedClient } from '../http/incoming.ts';
import { largeBodyBytes } from '../http/received-bytes.ts';
import { problemBody, ProblemError } from '../problem.ts';
import { reportPath } from '../receive/receive-report.ts';
import type { Peer } from '../storage/postgres/postgres-lease.ts';
import type { FirstStart } from '../teams/first-owner.ts';
import { maxConnectionStopMs, startHttpServer, type HttpServer } from '../http-server/http-server.ts';
import { ClusterNode } from './cluster-node.ts';
import { ForwardedBodies } from './forwarded-bodies.ts';
import { Forwarder, type Forwarded, type ForwardedRequest } from './forwarder.ts';
import { handleReportBatch } from './handle-report-batch.ts';
import { isRead, isRepeatable } from './is-repeatable.ts';
import { isFromPeer, notHolderHeader, peerClientHeader } from './peer-headers.ts';
import { reportBatchPath, ReportForwarder, type WholeReport } from './report-forwarder.ts';

/** Requests wait at most this long for a server to hold the log. */
const maxHolderWaitMs = 8_000;
const waitStepMs = 250;
/** A request for metrics waits at most this long for the newest writes of the holder. */
const maxFollowMs = 1_000;
/** While a server stops, a load balancer has this long to reuse its connections: each response then closes one. */
const drainMs = 1_500;
/** Requests and background jobs that have begun may go on for this long before the log is handed over. */
const maxFinishMs = 3_000;
/** Of this time, background jobs have so much. */
const maxJobsMs = 1_500;
const finishStepMs = 20;
/** Giving up the log takes one write. A PostgreSQL that takes longer for it does not respond. */
const maxHandOverMs = 4_000;
/** Responses that have begun have at least this long to end. */
const minCloseMs = 500;

/** A server that shares its storage with other servers. */
export class ClusterServer {
  readonly #node: ClusterNode;
  readonly #bodies = new ForwardedBodies();
  readonly #forwarder = new Forwarder();
  readonly #reportForwarder = new ReportForwarder();
  #http: HttpServer | null = null;
  #isDraining = false;
  /** Requests that this server handles itself. */
  #handling = 0;
  #holderId: string | null = null;

  private constructor(node: ClusterNode) {
    this.#node = node;
  }

  /**
   * Opens the storage and listens. Rejects if the storage can't be used. Rejects also if the port is not available, and
   * then passes the credentials of a new owner to `showOwner` first: no later start has them.
   */
  static async start(config: Config, showOwner: (owner: FirstStart | null) => void): Promise<ClusterServer> {
    const node = new ClusterNode(config);
    const server = new ClusterServer(node);
    await node.open();
    try {
      const { services } = node;
      server.#http = await startHttpServer(
        services,
        async () => (request, response) => server.#receive(request, response),
      );
      node.onChange = () => server.#onChange();
      node.onUnreachable = () => server.#abortForwarded();
      node.announce(services.baseUrl, clusterUrlOf(config, server.#http.port));
    } catch (error) {
      showOwner(await node.services.ownerSetup.cancel());
      await node.close();
      throw error;
    }
    return server;
  }

  get node(): ClusterNode {
    return this.#node;
  }

  /** Hands the log over, forwards requests for a while so that clients can connect to other servers, and stops. */
  async stop(): Promise<void> {
    const connectionsEnd = performance.now() + maxConnectionStopMs;
    const finishEnd = performance.now() + maxFinishMs;
    this.#isDraining = true;
    // Until the jobs have ended, this server handles requests: another one could not take the log yet.
    await atMost(maxJobsMs, this.#node.endBackground());
    this.#node.beginHandOver();
    this.#forwarder.endStreams();
    await atMost(finishEnd - performance.now(), this.#finishRequests());
    // A storage that does not respond must not delay the end.
    let isHandedOver = false;
    const handedOver = this.#node
      .handOver()
      .then(() => (isHandedOver = true))
      .catch(() => undefined);
    const leftMs = Math.min(maxHandOverMs, connectionsEnd - drainMs - minCloseMs - performance.now());
    await atMost(leftMs, handedOver);
    await sleep(drainMs);
    await this.#http?.stop(Math.max(minCloseMs, connectionsEnd - performance.now()));
    this.#forwarder.close();
    this.#reportForwarder.close();
    await this.#node.close(!isHandedOver);
  }

  async #finishRequests(): Promise<void> {
    while (this.#handling > 0) await sleep(finishStepMs);
  }

  #onChange(): void {
    const { isActive, self, otherHolder } = this.#node;
    const holder = isActive ? self : otherHolder;
    if (!holder || holder.id === this.#holderId) return;
    this.#holderId = holder.id;
    this.#forwarder.abortExcept(holder.id);
    this.#reportForwarder.abortExcept(holder.id);
  }

  /** Ends the requests that wait for a holder which does not respond. */
  #abortForwarded(): void {
    this.#forwarder.abortExcept(null);
    this.#reportForwarder.abortExcept(null);
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isDraining) response.shouldKeepAlive = false;
    if (request.url === '/readyz') void this.#respondReady(request, response);
    else if (request.url === '/healthz') this.#respondHealthy(request, response);
    else if (request.url === '/metrics') void this.#respondMetrics(request, response);
    else if (this.#isFromPeer(request)) void this.#handleForwarded(request, response);
    else if (this.#node.confirmedHandler) this.#handle(this.#node.confirmedHandler, request, response);
    else void this.#route(request, response).catch(() => response.destroy());
  }

  #handle(handle: RequestListener, request: IncomingMessage, response: ServerResponse): void {
    this.#handling++;
    response.once('close', () => this.#handling--);
    handle(request as never, response as never);
  }

  #isFromPeer(request: IncomingMessage): boolean {
    if (!(peerClientHeader in request.headers)) return false;
    const { self } = this.#node;
    return self !== null && isFromPeer(request, self.secret);
  }

  /** Handles a request here or at the holder, and waits while no server holds the log. */
  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let until = performance.now() + maxHolderWaitMs;
    let forwarded: ForwardedRequest | null = null;
    while (!response.destroyed) {
      const handler = this.#node.confirmedHandler;
      if (handler && !forwarded) return this.#handle(handler, request, response);
      // Once the body has been read, `handler` can't read it: the request is forwarded, even to this server itself.
      const holder = handler ? this.#node.self : this.#node.otherHolder;
      if (holder && !forwarded) {
        const body = await this.#bodies.read(request, response);
        forwarded = { request, response, client: addressOfSocket(request), body, mayBeStored: false };
        // The holder may have changed while the client was sending.
        until = performance.now() + maxHolderWaitMs;
        continue;
      }
      if (holder && forwarded) {
        const outcome = await this.#forward(forwarded, holder);
        if (outcome === 'done') return;
        if (outcome === 'unknown') return this.#respondUnavailable(request, response, outcomeUnknown);
        if (outcome === 'failed' && !isRepeatable(forwarded)) break;
        forwarded.mayBeStored ||= outcome === 'failed' && !isRead(request);
      }
      if (performance.now() > until) break;
      await this.#node.waitForHolder(waitStepMs);
    }
    this.#respondUnavailable(request, response);
  }

  #forward(forwarded: ForwardedRequest, to: Peer): Promise<Forwarded> {
    return isSmallReport(forwarded)
      ? this.#reportForwarder.forward(forwarded, to)
      : this.#forwarder.forward(forwarded, to);
  }

  /** Handles a request, or a batch of reports, that another server has forwarded. It is not forwarded again. */
  async #handleForwarded(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setForwardedClient(request, String(request.headers[peerClientHeader]));
    if (!this.#node.confirmedHandler) await this.#node.waitForHolder(0);
    const handler = this.#node.confirmedHandler;
    if (handler && request.url === reportBatchPath) this.#handle(this.#handleReports, request, response);
    else if (handler) this.#handle(handler, request, response);
    else response.writeHead(503, { [notHolderHeader]: '1' }).end();
  }

  readonly #handleReports: RequestListener = (request, response) =>
    void handleReportBatch(this.#node.services, request, response);

  /** Responds also while the storage is read again: a restart would not help. */
  #respondHealthy(request: IncomingMessage, response: ServerResponse): void {
    if (this.#node.isOpen) this.#node.handleLocally(request, response);
    else respondOk(response);
  }

  /** Responds with the metrics of this server, also while PostgreSQL is unreachable. */
  async #respondMetrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A token may have been created at another server a moment ago.
    await atMost(maxFollowMs, this.#node.followHolder());
    if (this.#node.isOpen) this.#node.handleLocally(request, response);
    else this.#respondUnavailable(request, response);
  }

  async #respondReady(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isDraining) return this.#respondUnavailable(request, response);
    await this.#node.waitForHolder(0);
    if (this.#node.confirmedHandler) return this.#node.handleLocally(request, response);
    if (!this.#node.otherHolder?.isAlive) return this.#respondUnavailable(request, response);
    respondOk(response);
  }

  #respondUnavailable(request: IncomingMessage, response: ServerResponse, problem = noHolder): void {
    if (response.destroyed || response.headersSent) return;
    const id = randomUUID();
    const body = JSON.stringify(problemBody(problem, id));
    response
      .writeHead(503, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': id,
        'retry-after': '1',
        vary: 'Origin',
        ...this.#corsHeaders(request),
      })
      .end(body);
  }

  #corsHeaders({ headers }: IncomingMessage): Record<string, string> {
    try {
      return this.#node.isOpen
        ? (corsHeaders(this.#node.services, headers.origin ?? null) as Record<string, string>)
        : {};
    } catch {
      // A page of another origin must not read the response.
      return {};
    }
  }
}

const noHolder = new ProblemError('storage_unavailable', 'Another server is taking over. Try again.');
const outcomeUnknown = new ProblemError(
  'storage_unavailable',
  'The report may have been stored. Send it again with the same event_id.',
);

/** Resolves once the work is done, but at the latest after `ms`. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })]);
}

function respondOk(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end('{"status":"ok"}');
}

/** Returns true for reports that are forwarded in batches. A large one would delay the others of its batch. */
function isSmallReport(forwarded: ForwardedRequest): forwarded is WholeReport {
  const { request, body } = forwarded;
  return body !== null && body.length <= largeBodyBytes && request.method === 'POST' && request.url === reportPath;
}

/**
 * Returns the URL of this server for others. If it listens on all addresses, the URL has an external IPv4 address, or
 * else `127.0.0.1`.
 */
function clusterUrlOf({ clusterUrl, host }: Config, port: number): string {
  if (clusterUrl !== null) return clusterUrl;
  if (!isEveryAddress(host)) return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const found = addresses.find(({ internal, family }) => !internal && family === 'IPv4');
  return `http://${found?.address ?? '127.0.0.1'}:${port}`;
}
