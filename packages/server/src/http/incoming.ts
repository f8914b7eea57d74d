import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { H3Event } from 'h3';

/** A request as far as bodies and reports are concerned, whether it came through a socket or not. */
export interface Incoming {
  /** The value of a header, by its name in lower case. */
  header(name: string): string | null;
  body(): Readable;
}

/** A request that h3 has routed. */
export function incomingOf(event: H3Event): Incoming {
  return {
    header: (name) => event.req.headers.get(name),
    body() {
      // Node's own stream where there is one: a web stream around it costs more than the rest of the reading.
      const node = nodeRequest(event);
      if (node) return node;
      const { body } = event.req;
      return body ? Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) : Readable.from([]);
    },
  };
}

/** What Node has of a request that h3 has routed: nothing where the program around this server calls, without a socket. */
export function nodeRequest(event: H3Event): IncomingMessage | undefined {
  return event.runtime?.node?.req as IncomingMessage | undefined;
}

/** A request as Node hands it out. */
export function incomingFrom(request: IncomingMessage): Incoming {
  return {
    header(name) {
      const value = request.headers[name];
      return value === undefined ? null : String(value);
    },
    body: () => request,
  };
}
