import { BlockList, isIP } from 'node:net';
import { rejectOnAbort } from './name-lookup.ts';
import type { Address } from './name-servers.ts';
import type { ResolveHost } from './resolve-host.ts';

/**
 * The server must not, or can't, post to the target of a webhook. Users get a text for `reason`; `message` is only
 * logged.
 */
export class RejectedTargetError extends Error {
  override readonly name = 'RejectedTargetError';
  readonly reason: 'host_not_found' | 'private_address';

  constructor(reason: RejectedTargetError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const noAddress = 'expected a host that has an address';

/** Networks outside the public internet, such as this machine, private networks, and prefixes for other networks. */
const privateRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '::1/128',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

const privateAddresses = new BlockList();
for (const range of privateRanges) {
  const [address = '', bits] = range.split('/');
  privateAddresses.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Resolves the address that a webhook is sent to, and checks it. The caller must connect to this very address, so that
 * a host name that resolves differently a moment later (DNS rebinding) changes nothing. Rejects with a
 * RejectedTargetError if the host can't be resolved, also because `stop` aborts, or has a private address that is not
 * allowed.
 */
export async function resolveWebhookAddress(
  url: string,
  isPrivateAllowed: boolean,
  resolve: ResolveHost,
  stop: AbortSignal,
): Promise<Address> {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RejectedTargetError('host_not_found', 'expected an http or https URL');
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = await rejectOnAbort(resolve(host, stop), stop).catch((cause: unknown) => {
    throw new RejectedTargetError('host_not_found', noAddress, { cause });
  });
  // A host with both private and public addresses is only useful to bypass this check.
  if (!isPrivateAllowed && found.some(({ address }) => isPrivate(address)))
    throw new RejectedTargetError(
      'private_address',
      'expected a public address: this server does not allow private networks',
    );
  const [first] = found;
  if (!first) throw new RejectedTargetError('host_not_found', noAddress);
  return first;
}

function isPrivate(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isPrivate(mapped);
  return privateAddresses.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
