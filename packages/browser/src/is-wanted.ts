import { options } from './client.ts';
import type { DescribedError } from './describe-error.ts';
import { fileOf } from './file-of.ts';
import { fits } from './fits.ts';
import { warn } from './warn.ts';

/** Noise that no code of the page can help, by the message and, behind it, the script. */
const noise = {
  scriptError: /^Script error.?\n/,
  resizeObserver: /^ResizeObserver l/,
  // `chrome-extension:`, `moz-extension:`, `safari-web-extension:`, `webkit-masked-url:`, of which this is left.
  extensions: /\n(extension|url):.+$/,
};

type Noise = keyof typeof noise;

/** Whether an error is to be reported, by the options of the page. */
export function isWanted({ type, message, stacktrace }: DescribedError): boolean | void {
  const file = fileOf(stacktrace);
  for (const name in noise) {
    if (options!.ignore[name as Noise] !== false && noise[name as Noise].test(message + '\n' + file))
      return name === 'scriptError' && warn('7: Set crossorigin');
  }
  return !(
    fits(options!.ignoreErrors, type ? type + ': ' + message : message) ||
    (file && (fits(options!.denyUrls, file) || !fits(options!.allowUrls, file))) ||
    Math.random() >= options!.sampleRate
  );
}
