import { BlockList, isIP, SocketAddress } from 'node:net';

/** Addresses that mean this machine. */
const loopback = ['127.0.0.0/8', '::1'];

/** An entry of the setting: an address, a range, or `loopback`. */
export function isProxyEntry(entry: string): boolean {
  if (entry === 'loopback') return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** The proxies in front of this server, which say by `X-Forwarded-For` who calls. */
export class Proxies {
  readonly #trusted = new BlockList();

  constructor(entries: readonly string[]) {
    for (const entry of entries.flatMap((known) => (known === 'loopback' ? loopback : known))) {
      const [address = '', bits] = entry.split('/');
      const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
      if (bits === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(bits), family);
    }
  }

  /**
   * The address of whoever calls: of the socket, unless that is a trusted proxy. Then it is the last address of
   * `X-Forwarded-For` that is none itself: what stands before it was written by whoever is there.
   */
  clientOf(socketAddress: string, forwardedFor: string | null): string {
    let client = plainAddress(socketAddress) ?? socketAddress;
    for (const hop of (forwardedFor ?? '').split(',').toReversed()) {
      if (!this.#isTrusted(client)) break;
      const before = plainAddress(hop);
      // A proxy that names nobody is the last one that is known.
      if (before === null) break;
      client = before;
    }
    return client;
  }

  #isTrusted(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#trusted.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}

/** One spelling for each address, without port and zone; an IPv4 address in IPv6 dress is that IPv4 address. */
function plainAddress(text: string): string | null {
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text.trim()) ?? [];
  const [address = ''] = (bracketed ?? withPort ?? text.trim()).split('%');
  const version = isIP(address);
  if (version === 0) return null;
  if (version === 4) return address;
  const plain = new SocketAddress({ address, family: 'ipv6' }).address;
  return /^::ffff:([\d.]+)$/.exec(plain)?.[1] ?? plain;
}
