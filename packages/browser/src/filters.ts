import type { Client } from './client.ts';
import type { ErrorFields } from './error-to-report.ts';
import { matchesPattern } from './matches-pattern.ts';
import { scriptUrl } from './script-url.ts';
import { warn } from './warn.ts';

/** Returns false for an error that the options of the page drop. */
export function passesFilters(client: Client, fields: ErrorFields): boolean {
  const { ignoreErrors = [], allowUrls, denyUrls = [], sampleRate = 1 } = client.settings;
  const { type, message, stacktrace } = fields;
  const url = scriptUrl(stacktrace) ?? '';
  return !(
    isNoise(client, message, url) ||
    matchesPattern(ignoreErrors, type ? `${type}: ${message}` : message) ||
    (url && matchesPattern(denyUrls, url)) ||
    (url && allowUrls && !matchesPattern(allowUrls, url)) ||
    Math.random() >= sampleRate
  );
}

/** Returns whether an error is noise: the page can't fix it, and its options ignore it. */
function isNoise({ settings, warned }: Client, message: string, url: string): boolean {
  const { scriptError = true, resizeObserver = true, extensions = true } = settings.ignore ?? {};
  if (scriptError && /^Script error\.?$/.test(message)) {
    warn(7, 'Set crossorigin on your scripts: “Script error.” is dropped', warned);
    return true;
  }
  return (
    (resizeObserver && message.startsWith('ResizeObserver loop')) ||
    // `chrome-extension:`, `moz-extension:`, `safari-web-extension:` and `webkit-masked-url:`. `scriptUrl` omits the part
    // before the last hyphen.
    (extensions && /^(extension|url):/.test(url))
  );
}
