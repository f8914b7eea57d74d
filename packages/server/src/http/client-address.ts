import type { H3Event } from 'h3';
import type { Services } from '../services.ts';
import { nodeRequest } from './incoming.ts';

/** The address of whoever calls, for limits: the socket's, unless a trusted proxy says whom it speaks for. */
export function clientAddress({ trustedProxies }: Services, event: H3Event): string {
  const node = nodeRequest(event);
  // Without a socket it is the program around this server that calls. A socket that is closed already has no address.
  const address = node ? (node.socket.remoteAddress ?? '') : '127.0.0.1';
  return trustedProxies.clientAddress(address, event.req.headers.get('x-forwarded-for'));
}

/** What a proxy says of whom it speaks for: with one of these the loopback address is only the proxy's. */
const forwardingHeader = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/** An address, or a name that no name server of the internet gives away: `localhost`, the name of a machine. */
const ownHost = /^(?:[\w-]+|(?:[\w-]+\.)*localhost|[\d.]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Whether a request comes from this very machine, and neither through a proxy on it nor from a page that had its own
 * name lead here, which a browser would let read the answer. Without a socket nobody can tell.
 */
export function isFromThisMachine(event: H3Event): boolean {
  const node = nodeRequest(event);
  if (!/^(?:127\.|::1$|::ffff:127\.)/.test(node?.socket.remoteAddress ?? '')) return false;
  if (!ownHost.test(event.req.headers.get('host') ?? 'localhost')) return false;
  return !Array.from(event.req.headers.keys()).some((name) => forwardingHeader.test(name));
}
