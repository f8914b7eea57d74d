import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The secret of the server to which a request is forwarded. Only servers on the same storage know it. */
export const peerSecretHeader = 'x-service-peer';
/** The address of the client that has sent the request. */
export const peerClientHeader = 'x-service-client';
/** Set in the response of a server that does not hold the log. Nothing of the request was handled. */
export const notHolderHeader = 'x-service-not-holder';

/** Returns whether another server of the cluster has forwarded the request. */
export function isFromPeer({ headers }: IncomingMessage, secret: string): boolean {
  const given = Buffer.from(String(headers[peerSecretHeader] ?? ''));
  const expected = Buffer.from(secret);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
