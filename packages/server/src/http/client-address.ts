import type { IncomingMessage } from 'node:http';
import type { H3Event } from 'h3';
import type { Services } from '../services.ts';

/** The address of whoever calls, for limits: the socket's, unless a trusted proxy says whom it speaks for. */
export function clientAddress({ proxies }: Services, event: H3Event): string {
  const node = event.runtime?.node?.req as IncomingMessage | undefined;
  // Without a socket it is the program around this server that calls. A socket that is closed already has no address.
  const address = node ? (node.socket.remoteAddress ?? '') : '127.0.0.1';
  return proxies.clientOf(address, event.req.headers.get('x-forwarded-for'));
}
