import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '../limits/address-key.ts';
import { requestTimeoutOf } from '../http/request-timeout.ts';
import { rejectedLingerMs, rejectSocket } from './reject-connection.ts';

/** Milliseconds from the first byte of a request to its last. */
const defaultRequestMs = 30_000;

/** Milliseconds in which a client may finish a body that the server does not read. */
const unreadBodyMs = 30_000;

/** If fewer than this number of connections are free, a new one ends others to make room. */
const spareConnections = 50;
/** The number of connections that one search ends. */
const connectionsPerEviction = 10;

/** Tracks open connections and their latest responses. Rejects requests that are invalid or slow, and makes room. */
export class Connections {
  /** The response to the latest request of each connection, or null before the first request. */
  readonly #latest = new Map<Socket, ServerResponse | null>();
  readonly #rejected = new WeakSet<Socket>();
  readonly #requestMs: number;

  /** `requestMs` is the time for a request, unless its route allows more. */
  constructor(server: Server, requestMs = defaultRequestMs, maxConnections = Infinity) {
    this.#requestMs = requestMs;
    server.requestTimeout = requestMs;
    server.on('connection', (socket) => {
      // Node would refuse connections over the maximum, so waiting ones are ended before.
      if (this.#latest.size >= maxConnections - spareConnections) this.#makeRoom();
      this.#latest.set(socket, null);
      this.#linger(socket);
      socket.once('close', () => this.#latest.delete(socket));
    });
    server.on('request', ({ socket }, response) => this.#latest.set(socket, response));
    server.on('clientError', (error, socket) => this.#reject(error, socket as Socket));
    server.on('timeout', (socket) => this.#destroyIdle(socket));
  }

  /** Destroys connections without a request. Browsers open some in advance, and Node does not count them as idle. */
  destroyUnused(): void {
    for (const [socket, response] of this.#latest) if (!response) socket.destroy();
  }

  /** Makes pending responses close their connections. */
  closeAfterResponses(): void {
    for (const response of this.#latest.values())
      if (response && !response.headersSent) response.shouldKeepAlive = false;
  }

  /**
   * Node destroys a connection as soon as its last response is written. If the client is still sending, as a proxy with
   * one connection per request may be, this resets the connection and loses the response. So the connection
   * stays open while the client sends, for a limited time.
   */
  #linger(socket: Socket): void {
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      const request = this.#latest.get(socket)?.req;
      if (!request || request.complete) {
        destroySoon();
        return;
      }
      socket.end();
      request.once('end', destroySoon);
      socket.setTimeout(rejectedLingerMs, () => socket.destroy());
      setTimeout(() => socket.destroy(), unreadBodyMs).unref();
    };
  }

  #reject(error: NodeJS.ErrnoException, socket: Socket): void {
    // The client keeps sending, so Node keeps reporting errors.
    if (this.#rejected.has(socket)) return;
    const response = this.#latest.get(socket);
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
    } else if (response && !response.req.complete) {
      this.#rejectBody(error, socket, response);
    } else if (response && !response.writableFinished) {
      // The invalid bytes follow a request that is still handled. They are rejected after its response.
      response.once('finish', () => this.#reject(error, socket));
    } else {
      this.#respond(error, socket);
    }
  }

  #rejectBody(error: NodeJS.ErrnoException, socket: Socket, response: ServerResponse): void {
    const moreMs = requestTimeoutOf(response.req) - this.#requestMs;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && moreMs > 0) {
      // Node reports a timeout of each request only once.
      setTimeout(() => {
        if (!socket.destroyed && !response.req.complete) this.#respondToBody(error, socket, response);
      }, moreMs).unref();
    } else {
      this.#respondToBody(error, socket, response);
    }
  }

  #respondToBody(error: NodeJS.ErrnoException, socket: Socket, response: ServerResponse): void {
    // The response was sent while the body never ended, or responses to earlier requests are still pending.
    if (response.headersSent || response.socket === null) socket.destroy();
    else this.#respond(error, socket);
  }

  #respond(error: NodeJS.ErrnoException, socket: Socket): void {
    this.#rejected.add(socket);
    rejectSocket(socket, error);
  }

  /**
   * Destroys a connection that is idle, or whose client reads nothing. One whose request is still handled stays open.
   */
  #destroyIdle(socket: Socket): void {
    const response = this.#latest.get(socket);
    if (!response || response.writableFinished || socket.writableLength > 0) socket.destroy();
  }

  /**
   * Destroys some connections of the address with the most connections that wait for their client: the oldest idle
   * ones, or else the oldest ones that send. So a client with thousands of slow requests locks out no other client.
   */
  #makeRoom(): void {
    const byAddress = new Map<string, WaitingSockets>();
    for (const [socket, response] of this.#latest) {
      const isIdle = response?.writableFinished === true;
      if (socket.destroyed || (response?.req.complete && !isIdle)) continue;
      const address = addressKey(socket.remoteAddress ?? '');
      const waiting = byAddress.get(address) ?? { idle: [], sending: [] };
      byAddress.set(address, waiting);
      (isIdle ? waiting.idle : waiting.sending).push(socket);
    }
    const [largest] = [...byAddress.values()].toSorted((a, b) => countOf(b) - countOf(a));
    if (!largest) return;
    const { idle, sending } = largest;
    // This search visits every connection, so one search makes room for several.
    for (const socket of (idle.length > 0 ? idle : sending).slice(0, connectionsPerEviction)) socket.destroy();
  }
}

/** The connections of an address that wait for their client, oldest first. */
interface WaitingSockets {
  idle: Socket[];
  /** They have sent no request yet, or only a part of one. */
  sending: Socket[];
}

function countOf({ idle, sending }: WaitingSockets): number {
  return idle.length + sending.length;
}
