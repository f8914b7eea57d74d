import { BlockList, isIP, SocketAddress } from 'node:net';

/** The loopback addresses of this machine. */
const loopbackRanges = ['127.0.0.0/8', '::1'];

/** Returns whether a text is an entry of the setting: an address, a range, or `loopback`. */
export function isProxyEntry(entry: string): boolean {
  if (entry === 'loopback') return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** The trusted proxies in front of this server, whose `X-Forwarded-For` header is used. */
export class TrustedProxies {
  readonly #trusted = new BlockList();
  readonly #onIgnored: (address: string) => void;
  #hasIgnored = false;

  /** `onIgnored` is called once, when an address that is not trusted forwards requests of other clients. */
  constructor(entries: readonly string[], onIgnored: (address: string) => void = () => undefined) {
    this.#onIgnored = onIgnored;
    for (const entry of entries.flatMap((one) => (one === 'loopback' ? loopbackRanges : one))) {
      const [address = '', bits] = entry.split('/');
      const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
      if (bits === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(bits), family);
    }
  }

  /**
   * Returns the address of the client: that of the socket, unless it is a trusted proxy. Then it is the last address in
   * `X-Forwarded-For` that is not a trusted proxy: any address before it may be forged.
   */
  clientAddress(socketAddress: string, forwardedFor: string | null): string {
    let client = normalizeAddress(socketAddress) ?? socketAddress;
    if (forwardedFor !== null) this.warnIfUntrusted(client);
    for (const hop of (forwardedFor ?? '').split(',').toReversed()) {
      if (!this.#isTrusted(client)) break;
      const before = normalizeAddress(hop);
      // A proxy without a valid entry before it is the last known hop.
      if (before === null) break;
      client = before;
    }
    return client;
  }

  /** Must be called if the headers of a request say that it was forwarded. `address` is that of the socket. */
  warnIfUntrusted(address: string): void {
    if (this.#hasIgnored || this.#isTrusted(normalizeAddress(address) ?? address)) return;
    this.#hasIgnored = true;
    this.#onIgnored(address);
  }

  #isTrusted(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#trusted.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}

/** Normalizes an address: no port, no zone, IPv4-mapped IPv6 as IPv4. Returns null for other text. */
function normalizeAddress(text: string): string | null {
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text.trim()) ?? [];
  const [address = ''] = (bracketed ?? withPort ?? text.trim()).split('%');
  const version = isIP(address);
  if (version === 0) return null;
  if (version === 4) return address;
  const plain = new SocketAddress({ address, family: 'ipv6' }).address;
  return /^::ffff:([\d.]+)$/.exec(plain)?.[1] ?? plain;
}
