import type { Client } from './client.ts';
import { matchesPattern } from './matches-pattern.ts';
import type { RawReport } from './report.ts';
import { scriptUrl } from './script-url.ts';
import { warn } from './warn.ts';

/** Returns false for an error that the options of the page drop. */
export function passesFilters(client: Client, { type, message, stacktrace }: RawReport): boolean {
  const { ignoreErrors = [], allowUrls = [], denyUrls = [], sampleRate = 1 } = client.settings;
  const url = scriptUrl(stacktrace) ?? '';
  return !(
    isNoise(client, message, url) ||
    matchesPattern(ignoreErrors, type ? `${type}: ${message}` : message) ||
    (url && ((allowUrls.length !== 0 && !matchesPattern(allowUrls, url)) || matchesPattern(denyUrls, url))) ||
    Math.random() >= sampleRate
  );
}

/** Returns whether an error is noise: the page can't fix it, and its options ignore it. */
function isNoise(client: Client, message: string, url: string): boolean {
  const { ignore } = client.settings;
  if (ignore?.scriptError !== false && /^Script error\.?$/.test(message)) {
    warn(7, 'Script error. is dropped: set crossorigin', client);
    return true;
  }
  return (
    (ignore?.resizeObserver !== false && message.startsWith('ResizeObserver loop')) ||
    // `chrome-extension:`, `moz-extension:`, `safari-web-extension:` and `webkit-masked-url:`. `scriptUrl` omits the
    // part before the last hyphen.
    (ignore?.extensions !== false && /^(extension|url):/.test(url))
  );
}
