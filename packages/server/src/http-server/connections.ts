import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { timeAllowedMs } from '../http/request-time.ts';
import { lingerMs, refuseSocket } from './reject-connection.ts';

/** From the first byte of a request to its last. */
const requestTimeoutMs = 30_000;

/** What is open, and what was asked last on each: enough to refuse what comes wrong, late or too slowly. */
export class Connections {
  /** The answer to the latest request of a connection; null: there has been none. */
  readonly #latest = new Map<Socket, ServerResponse | null>();
  readonly #refused = new WeakSet<Socket>();
  readonly #requestMs: number;

  /** `requestMs`: what a request has, unless a route allows it more. */
  constructor(server: Server, requestMs = requestTimeoutMs) {
    this.#requestMs = requestMs;
    server.requestTimeout = requestMs;
    server.on('connection', (socket) => {
      this.#latest.set(socket, null);
      this.#linger(socket);
      socket.once('close', () => this.#latest.delete(socket));
    });
    server.on('request', ({ socket }, response) => this.#latest.set(socket, response));
    server.on('clientError', (error, socket) => this.#refuse(error, socket as Socket));
    server.on('timeout', (socket) => this.#leaveIdle(socket));
  }

  /** Ends those that have not brought a request yet: browsers open some just in case, and Node does not call them idle. */
  destroyUnused(): void {
    for (const [socket, response] of this.#latest) if (!response) socket.destroy();
  }

  /** Answers that are still to be made say that they are the last ones of their connections. */
  endAfterAnswers(): void {
    for (const response of this.#latest.values())
      if (response && !response.headersSent) response.shouldKeepAlive = false;
  }

  /**
   * Node destroys a connection as soon as its last answer is written. A client that is still sending, as a proxy does that
   * asks for one connection a request, would have it reset, and its answer with it: so what it sends is taken for a while.
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
      setTimeout(() => socket.destroy(), lingerMs).unref();
    };
  }

  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    // It goes on sending, and Node goes on finding fault.
    if (this.#refused.has(socket)) return;
    const response = this.#latest.get(socket);
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
    } else if (response && !response.req.complete) {
      this.#refuseBody(error, socket, response);
    } else if (response && !response.writableFinished) {
      // What is wrong came behind a request that is still being answered: one after the other.
      response.once('finish', () => this.#refuse(error, socket));
    } else {
      this.#answer(error, socket);
    }
  }

  #refuseBody(error: NodeJS.ErrnoException, socket: Socket, response: ServerResponse): void {
    const moreMs = timeAllowedMs(response.req) - this.#requestMs;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && moreMs > 0) {
      // Node tells of each request once.
      setTimeout(() => {
        if (!socket.destroyed && !response.req.complete) this.#answerBody(error, socket, response);
      }, moreMs).unref();
    } else {
      this.#answerBody(error, socket, response);
    }
  }

  #answerBody(error: NodeJS.ErrnoException, socket: Socket, response: ServerResponse): void {
    // It has its answer and never came to its end, or answers to earlier requests are still to come.
    if (response.headersSent || response.socket === null) socket.destroy();
    else this.#answer(error, socket);
  }

  #answer(error: NodeJS.ErrnoException, socket: Socket): void {
    this.#refused.add(socket);
    refuseSocket(socket, error);
  }

  /** Nothing has moved for a while. Only who waits for an answer that is still being made may go on waiting. */
  #leaveIdle(socket: Socket): void {
    const response = this.#latest.get(socket);
    if (!response || response.writableFinished || socket.writableLength > 0) socket.destroy();
  }
}
