import type { Client } from './client.ts';
import type { ErrorFields } from './error-to-report.ts';
import { matchesPattern } from './matches-pattern.ts';
import type { NoiseSwitches } from './options.ts';
import { scriptUrl } from './script-url.ts';
import { warn } from './warn.ts';

/** Returns false for an error that the options of the page drop. */
export function passesFilters(client: Client, fields: ErrorFields): boolean {
  const { ignore, ignoreErrors, allowUrls, denyUrls, sampleRate } = client.settings;
  const url = scriptUrl(fields.stacktrace);
  const noise = noiseKind(fields.message, url);
  if (noise && ignore?.[noise] !== false) {
    if (noise === 'scriptError') warn(7, 'Set crossorigin on your scripts: “Script error.” is dropped', client.warned);
    return false;
  }
  const text = fields.type ? `${fields.type}: ${fields.message}` : fields.message;
  if (ignoreErrors && matchesPattern(ignoreErrors, text)) return false;
  if (url && denyUrls && matchesPattern(denyUrls, url)) return false;
  if (url && allowUrls && !matchesPattern(allowUrls, url)) return false;
  // An invalid sampleRate (NaN) reports every error.
  return !(Math.random() >= (sampleRate ?? 1));
}

/** Returns the kind of an error that the page cannot fix. */
function noiseKind(message: string, url = ''): keyof NoiseSwitches | undefined {
  if (/^Script error\.?$/.test(message)) return 'scriptError';
  if (message.startsWith('ResizeObserver l')) return 'resizeObserver';
  // `chrome-extension:`, `moz-extension:`, `safari-web-extension:` and `webkit-masked-url:`. `scriptUrl` omits the part
  // before the last hyphen.
  return /^(extension|url):/.test(url) ? 'extensions' : undefined;
}
