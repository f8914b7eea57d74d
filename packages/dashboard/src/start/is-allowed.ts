import type { Origins } from '@service/protocol';

const loopback = /^https?:\/\/(localhost|[\w.-]+\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/** Whether pages of an origin may report: what the server does with its list, for a page that wants to tell before. */
export function isAllowed(origin: string, { origins, from_settings }: Origins, own: string): boolean {
  const entries = [...origins, ...from_settings];
  if (origin === own || (entries.length === 0 && loopback.test(origin))) return true;
  return entries.some((entry) => {
    if (entry === '*' || entry === origin) return true;
    const [scheme, host] = entry.split('*');
    return host !== undefined && origin.startsWith(scheme ?? '') && origin.endsWith(host);
  });
}
