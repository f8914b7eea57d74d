import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { H3Event } from 'h3';

/** The parts of a request that bodies and reports need, with or without a socket. */
export interface Incoming {
  /** Returns the value of a header. The name is in lower case. */
  header(name: string): string | null;
  body(): Readable;
  /**
   * Returns the address of the client or of its proxy, also if another server has forwarded the request. Returns
   * `127.0.0.1` without a socket: the caller is then the program that embeds this server.
   */
  socketAddress(): string;
}

/** Wraps a request that h3 has routed. */
export function incomingOf(event: H3Event): Incoming {
  return {
    header: (name) => event.req.headers.get(name),
    body() {
      // Node's own stream is used if there is one: a web stream around it costs more than the rest of the reading.
      const node = nodeRequest(event);
      if (node) return node;
      const { body } = event.req;
      return body ? Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) : Readable.from([]);
    },
    socketAddress() {
      const node = nodeRequest(event);
      return node ? addressOfSocket(node) : '127.0.0.1';
    },
  };
}

/** Returns Node's request, or undefined if the program that embeds this server calls it without a socket. */
export function nodeRequest(event: H3Event): IncomingMessage | undefined {
  return event.runtime?.node?.req as IncomingMessage | undefined;
}

/** Wraps a request of Node's HTTP server. */
export function incomingFrom(request: IncomingMessage): Incoming {
  return {
    header(name) {
      const value = request.headers[name];
      return value === undefined ? null : String(value);
    },
    body: () => request,
    socketAddress: () => addressOfSocket(request),
  };
}

/** The clients of requests that another server of the cluster has forwarded. */
const forwardedClients = new WeakMap<IncomingMessage, string>();

/** Makes a request count as one from this address: another server of the cluster has received it from there. */
export function setForwardedClient(request: IncomingMessage, address: string): void {
  forwardedClients.set(request, address);
}

/** Returns the address from which a request came, or that of its proxy. A closed socket has no address. */
export function addressOfSocket(request: IncomingMessage): string {
  return forwardedClients.get(request) ?? request.socket.remoteAddress ?? '';
}
