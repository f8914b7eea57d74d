import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Peer } from '../storage/postgres/postgres-lease.ts';

/** The secret of the server to which a request is forwarded. Only servers on the same storage know it. */
export const peerSecretHeader = 'x-service-peer';
/** The address of the client that has sent the request. */
export const peerClientHeader = 'x-service-client';
/** Set in the response of a server that does not hold the log. That server has not handled the request. */
export const notHolderHeader = 'x-service-not-holder';

/** Returns whether a server of the cluster has sent the request: it then has the secret of this server. */
export function isFromPeer({ headers }: IncomingMessage, secret: string): boolean {
  const given = Buffer.from(String(headers[peerSecretHeader] ?? ''));
  const expected = Buffer.from(secret);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Headers that belong to one connection. */
const hopHeaders = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te']);

/** Returns the headers that are passed on: not those of a connection, and not the secret of a server. */
export function endToEndHeaders({ headers }: Pick<IncomingMessage, 'headers'>): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hopHeaders.has(name) && name !== peerSecretHeader),
  );
}

/** Returns where a server of the cluster listens. */
export function connectionTo({ address }: Peer): { host: string; port: string | number } {
  const { hostname, port } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port || 80 };
}
