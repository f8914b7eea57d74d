import {
  Agent,
  request as sendRequest,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Peer } from '../storage/postgres/postgres-lease.ts';
import { connectionTo, endToEndHeaders, notHolderHeader, peerClientHeader, peerSecretHeader } from './peer-headers.ts';

/** The maximum number of idle connections to the holder that stay open. */
const maxIdleSockets = 256;

/**
 * The outcome of a forwarded request. `done`: the client has a response, or its connection has ended. `unhandled`: the
 * request was not handled and can be sent again. `failed`: the request may have been handled, or can't be sent again.
 * `unknown`: the request was sent again and is rejected now, but may have been stored the first time.
 */
export type Forwarded = 'done' | 'unhandled' | 'failed' | 'unknown';

/** A request whose body may have been read, so that it can be sent repeatedly. */
export interface ForwardedRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** The address of the client. */
  client: string;
  /** Null if the body is streamed: such a request can be sent only once. See `ForwardedBodies`. */
  body: Buffer | null;
  /** True once the request may have changed something, although no response came. */
  mayBeStored: boolean;
}

/**
 * Returns whether a response with this status hides the outcome of a request: it rejects a report that may have been
 * stored the first time. For example, the API key of the project was rotated since.
 */
export function isOutcomeUnknown({ mayBeStored }: ForwardedRequest, status: number): boolean {
  return mayBeStored && status >= 400;
}

/** Forwards requests to the server that holds the log, over keep-alive connections. */
export class Forwarder {
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: maxIdleSockets, scheduling: 'lifo' });
  readonly #pending = new Map<ClientRequest, string>();
  /** The live streams of the holder that are passed on to clients. */
  readonly #streams = new Set<IncomingMessage>();

  /** Sends a request and passes the response on. Never rejects. */
  forward(forwarded: ForwardedRequest, to: Peer): Promise<Forwarded> {
    return new Promise((resolve) => {
      const { request, response, body } = forwarded;
      const sent = this.#send(forwarded, to);
      let isConnected = false;
      let isSettled = false;
      const settle = (outcome: Forwarded): void => {
        isSettled = true;
        this.#pending.delete(sent);
        resolve(outcome);
      };
      const onClose = (): void => void sent.destroy();
      const drop = (received: IncomingMessage, outcome: Forwarded): void => {
        response.off('close', onClose);
        received.resume();
        request.unpipe(sent).resume();
        settle(outcome);
        // That server needs no more of the body.
        if (!sent.writableFinished) sent.destroy();
      };
      response.once('close', onClose);
      sent.once('socket', (socket) => {
        if (!socket.connecting) isConnected = true;
        else socket.once('connect', () => (isConnected = true));
      });
      sent.on('error', () => {
        // The response may already come from the next holder.
        if (isSettled) return;
        request.unpipe(sent).resume();
        response.off('close', onClose);
        if (response.headersSent || response.destroyed) {
          response.destroy();
          settle('done');
        } else settle(isConnected || body === null ? 'failed' : 'unhandled');
      });
      sent.once('response', (received) => {
        if (received.headers[notHolderHeader] !== undefined) {
          drop(received, body === null ? 'failed' : 'unhandled');
          return;
        }
        if (isOutcomeUnknown(forwarded, received.statusCode ?? 502)) {
          drop(received, 'unknown');
          return;
        }
        if (isEventStream(received)) {
          this.#streams.add(received);
          received.once('close', () => this.#streams.delete(received));
        }
        pass(received, response);
        // The holder can respond before the end of a body that it rejects. The rest of the body is dropped, because the
        // client may read the response only after it has sent everything.
        received.once('end', () => {
          if (request.complete) return;
          request.unpipe(sent).resume();
          sent.destroy();
        });
        response.once('close', () => settle('done'));
      });
      if (body === null) request.pipe(sent);
      else sent.end(body);
    });
  }

  /** Ends all requests that are pending at servers other than `peerId`: those servers no longer hold the log. */
  abortExcept(peerId: string | null): void {
    for (const [sent, id] of this.#pending) if (id !== peerId) sent.destroy(new Error('Another server holds the log.'));
  }

  /** Ends the live streams that are passed on, as a stopping server ends its own. Their readers resume elsewhere. */
  endStreams(): void {
    for (const received of this.#streams) received.destroy();
  }

  close(): void {
    this.abortExcept(null);
    this.#agent.destroy();
  }

  #send({ request, client, body }: ForwardedRequest, to: Peer): ClientRequest {
    const sent = sendRequest({
      agent: this.#agent,
      ...connectionTo(to),
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: {
        ...endToEndHeaders(request),
        [peerSecretHeader]: to.secret,
        [peerClientHeader]: client,
        ...(body !== null && body.length > 0 && { 'content-length': body.length }),
      },
    });
    this.#pending.set(sent, to.id);
    return sent;
  }
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/**
 * Passes a response on. If it breaks off, the connection of the client is destroyed. A live stream ends as if it were
 * complete instead: it has no length, and its reader resumes after the last whole event.
 */
function pass(received: IncomingMessage, response: ServerResponse): void {
  response.writeHead(received.statusCode ?? 502, endToEndHeaders(received));
  // The headers of a live stream are sent before its first event.
  response.flushHeaders();
  const fail = (): void => void (isEventStream(received) ? response.end() : response.destroy());
  received.once('error', fail);
  received.once('close', () => {
    if (!received.complete) fail();
  });
  received.pipe(response);
}
