/** Matches scheme, credentials, host and port. `new URL` throws on malformed text and takes ten times as long. */
const origin = /^(https?:\/\/)(?:[^/?#\\@]*@)?([^/?#\\@]*)/i;

/** A set of origins in the format of `originOf`. */
export type Origins = Pick<ReadonlySet<string>, 'has'>;

export const noOrigins: Origins = new Set<string>();

/**
 * Returns scheme, host and port of an `http:` or `https:` URL, or null for any other text. Default ports are omitted.
 */
export function originOf(url: string): string | null {
  const parts = origin.exec(url);
  if (!parts) return null;
  const found = `${parts[1]}${parts[2]}`.toLowerCase();
  const port = found.startsWith('https') ? ':443' : ':80';
  return found.endsWith(port) ? found.slice(0, -port.length) : found;
}
