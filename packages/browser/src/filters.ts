import { options } from './client.ts';
import type { ErrorFields } from './error-to-report.ts';
import { matchesPattern } from './matches-pattern.ts';
import { scriptUrl } from './script-url.ts';
import { warn } from './warn.ts';

/** Errors that the page cannot fix. Each pattern is tested on the message, a line break and the script's URL. */
const noise = {
  scriptError: /^Script error.?\n/,
  resizeObserver: /^ResizeObserver l/,
  // `chrome-extension:`, `moz-extension:`, `safari-web-extension:` and `webkit-masked-url:`. `scriptUrl` omits the part
  // before the last hyphen.
  extensions: /\n(extension|url):.+$/,
};

type Noise = keyof typeof noise;

/** Returns whether the options of the page let an error through. */
export function passesFilters({ type, message, stacktrace }: ErrorFields): boolean | void {
  const url = scriptUrl(stacktrace);
  for (const name in noise) {
    if (options!.ignore[name as Noise] !== false && noise[name as Noise].test(message + '\n' + url))
      return name === 'scriptError' && warn('7: Set crossorigin');
  }
  return !(
    matchesPattern(options!.ignoreErrors, type ? type + ': ' + message : message) ||
    (url && (matchesPattern(options!.denyUrls, url) || !matchesPattern(options!.allowUrls, url))) ||
    Math.random() >= options!.sampleRate
  );
}
