import { captureClick } from './capture/click.ts';
import { captureConsole } from './capture/console.ts';
import { captureFetch } from './capture/fetch.ts';
import { captureHistory } from './capture/history.ts';
import { captureXhr } from './capture/xhr.ts';
import { takeEvent } from './take-event.ts';
import { page, start, undos } from './client.ts';
import { defaults } from './defaults.ts';
import { guard } from './guard.ts';
import { listen } from './listen.ts';
import type { Options, Settings } from './options.ts';
import { drain, take } from './take.ts';
import { clearTrail, note } from './trail.ts';
import { warn } from './warn.ts';
import { wrap } from './wrap.ts';

const breadcrumbs = {
  navigation: captureHistory,
  click: captureClick,
  fetch: captureFetch,
  xhr: captureXhr,
  console: captureConsole,
};

/**
 * Starts to report errors. Call it at the very start of the entry point: what fails earlier is not seen.
 * Only the first call counts, until close(). Never throws.
 */
export const init = guard((given: Options): void => {
  // The page's own fetch, from before it is wrapped. A browser without has no use for the rest.
  const settings = { ...defaults, fetch } as unknown as Settings;
  for (const name in given) {
    const value = given[name as 'apiKey'];
    // All that has no default is a text.
    if (typeof value === typeof (settings[name as 'apiKey'] ?? '')) settings[name as 'apiKey'] = value;
    else if (value != null) warn('4: Check ' + name);
  }
  const window = start(settings, take);
  if (!window) return;
  clearTrail();
  undos.push(
    drain,
    listen(window, 'error', takeEvent),
    listen(window, 'unhandledrejection', take),
    // Tests and old frameworks call it directly, some with the event alone. What the listener has seen comes by here too,
    // and is held back as the same error. An earlier handler is still called, and its answer returned.
    wrap(window as unknown as { onerror: OnErrorEventHandlerNonNull }, 'onerror', (args) => take(args[4] ?? args[0])),
    listen(window, 'pagehide', drain),
  );
  for (const name in breadcrumbs) {
    const how = settings.breadcrumbs[name as 'click'] ?? true;
    // A page may have frozen what one of them replaces.
    if (how) undos.push(guard(breadcrumbs[name as 'click'])(window, note, how as object));
  }
  // What the loader has kept.
  page.undo?.(takeEvent);
});
