/** Returns the key under which limits count an address: the /64 network of IPv6, else the address itself. */
export function addressKey(address: string): string {
  return networkOf(address) ?? address;
}

/**
 * Returns the /64 network of an IPv6 address, which is what a provider assigns to one subscriber. Returns null for
 * IPv4, also if a socket for IPv4 and IPv6 reports it: `::ffff:192.0.2.1`.
 */
export function networkOf(address: string): string | null {
  if (!address.includes(':') || address.includes('.')) return null;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const whole =
    tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length - last.length).fill('0'), ...last];
  return `${whole.slice(0, 4).join(':')}::/64`;
}
