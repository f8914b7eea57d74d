/** Whose address it is, as far as that can be told. */
export function subscriberOf(address: string): string {
  return networkOf(address) ?? address;
}

/** The /64 of an IPv6 address, which is what one subscriber is given. */
export function networkOf(address: string): string | null {
  if (!address.includes(':')) return null;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const whole =
    tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length - last.length).fill('0'), ...last];
  return `${whole.slice(0, 4).join(':')}::/64`;
}
