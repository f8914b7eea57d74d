import type { H3Event } from 'h3';
import type { Services } from '../services.ts';
import { addressOfSocket, incomingOf, nodeRequest } from './incoming.ts';

/** Returns the address of the client, for limits: the socket's, or the one that a trusted proxy forwards. */
export function clientAddress({ trustedProxies }: Services, event: H3Event): string {
  const address = incomingOf(event).socketAddress();
  if (isForwarded(event)) trustedProxies.warnIfUntrusted(address);
  return trustedProxies.clientAddress(address, event.req.headers.get('x-forwarded-for'));
}

function isForwarded(event: H3Event): boolean {
  return Array.from(event.req.headers.keys()).some((name) => forwardingHeader.test(name));
}

/** Headers of proxies. A request that has one of them came through a proxy, so its loopback address is the proxy's. */
const forwardingHeader = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/** An address, or a name that public DNS does not resolve: `localhost`, or the name of a machine. */
const ownHost = /^(?:[\w-]+|(?:[\w-]+\.)*localhost|[\d.]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Returns whether a request comes from this machine itself. Excludes requests through a local proxy, and DNS rebinding:
 * a page whose own name resolves to this machine could read the response. Returns false without a socket.
 */
export function isFromThisMachine(event: H3Event): boolean {
  const node = nodeRequest(event);
  if (!node || !/^(?:127\.|::1$|::ffff:127\.)/.test(addressOfSocket(node))) return false;
  if (!ownHost.test(event.req.headers.get('host') ?? 'localhost')) return false;
  return !isForwarded(event);
}
