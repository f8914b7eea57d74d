/** An entry of the allow-list: an exact origin, `https://*.example.com`, or `*`. */
export function isOriginEntry(entry: string): boolean {
  if (entry === '*') return true;
  return (
    /^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/i.test(entry) || /^https?:\/\/\[[0-9a-f:.]+\](:\d{1,5})?$/i.test(entry)
  );
}

/** Whether pages of this origin may send reports. Without any entry those of this machine may; `null` never may. */
export function isOriginAllowed(origin: string, entries: readonly string[], ownOrigin: string): boolean {
  if (origin === 'null') return false;
  if (origin === ownOrigin) return true;
  if (entries.length === 0) return isLoopback(origin);
  return entries.some((entry) => entry === '*' || matchesEntry(origin.toLowerCase(), entry.toLowerCase()));
}

function matchesEntry(origin: string, entry: string): boolean {
  const star = entry.indexOf('*.');
  if (star < 0) return origin === withoutDefaultPort(entry);
  const scheme = entry.slice(0, star);
  // With the dot: any number of labels before it, but not the bare domain.
  const domain = withoutDefaultPort(scheme + entry.slice(star + 2)).slice(scheme.length);
  return (
    origin.startsWith(scheme) && origin.endsWith(`.${domain}`) && origin.length > scheme.length + domain.length + 1
  );
}

function withoutDefaultPort(entry: string): string {
  return URL.canParse(entry) ? new URL(entry).origin : entry;
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
