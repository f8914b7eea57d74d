import { isIP } from 'node:net';
import { NameLookup } from './name-lookup.ts';
import type { Address } from './name-servers.ts';

/**
 * Resolves with all addresses of a host. If it has none, either resolves with an empty list or rejects. Rejects when
 * `stop` aborts.
 */
export type ResolveHost = (host: string, stop: AbortSignal) => Promise<readonly Address[]>;

/** `isPrivateAllowed`: names of the machine's own network are resolved as well. */
export function createResolveHost(isPrivateAllowed: boolean): ResolveHost {
  const lookups = new NameLookup(isPrivateAllowed);
  return async (host, stop) => (isIP(host) ? [{ address: host, family: isIP(host) }] : lookups.find(host, stop));
}
