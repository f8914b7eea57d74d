import type { Client } from './client.ts';
import { matchesPattern } from './matches-pattern.ts';
import type { RawReport } from './report.ts';
import { scriptUrl } from './script-url.ts';
import { warn } from './warn.ts';

/** Noise, which the page can't fix: the kinds of the option `ignore`, each with a pattern of messages or script URLs. */
const noise = {
  scriptError: /^Script error\.?$/,
  resizeObserver: /^ResizeObserver loop/,
  // `chrome-extension:`, `moz-extension:`, `safari-web-extension:` and `webkit-masked-url:`. `scriptUrl` omits the part
  // before the last hyphen.
  extensions: /^(extension|url):\/\//,
};

/** Returns false for an error that the options of the page drop. */
export function passesFilters(client: Client, { type, message, stacktrace }: RawReport): boolean {
  const { ignore, ignoreErrors, allowUrls, denyUrls, sampleRate } = client.settings;
  const url = scriptUrl(stacktrace) ?? '';
  const switches: Record<string, boolean | undefined> = { ...ignore };
  for (const [kind, pattern] of Object.entries(noise)) {
    if (switches[kind] === false || !(pattern.test(message) || pattern.test(url))) continue;
    if (pattern === noise.scriptError) warn(7, 'Set crossorigin on your scripts: “Script error.” is dropped', client);
    return false;
  }
  return !(
    matchesPattern(ignoreErrors ?? [], type ? `${type}: ${message}` : message) ||
    (url && (matchesPattern(denyUrls ?? [], url) || (allowUrls && !matchesPattern(allowUrls, url)))) ||
    Math.random() >= (sampleRate ?? 1)
  );
}
