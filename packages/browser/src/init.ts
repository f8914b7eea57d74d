import { captureClick } from './capture/click.ts';
import { captureConsole } from './capture/console.ts';
import { captureErrorEvent } from './capture/error-event.ts';
import { captureFetch } from './capture/fetch.ts';
import { captureHistory } from './capture/history.ts';
import { captureUncaught } from './capture/uncaught.ts';
import { captureXhr } from './capture/xhr.ts';
import { page, start, undos } from './client.ts';
import { defaults } from './defaults.ts';
import { guard } from './guard.ts';
import { listen } from './listen.ts';
import type { Options, Settings } from './options.ts';
import { drain, take } from './take.ts';
import { clearTrail, note } from './trail.ts';
import { warn } from './warn.ts';

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
  const settings = { ...defaults } as unknown as Settings;
  for (const name in given) {
    const value = given[name as 'apiKey'];
    // All that has no default is a text.
    if (typeof value === typeof (settings[name as 'apiKey'] ?? '')) settings[name as 'apiKey'] = value;
    else if (value != null) warn('4: Check ' + name);
  }
  const window = start(settings, take);
  if (!window) return;
  settings.fetch = window.fetch;
  undos.push(clearTrail, captureUncaught(window, take), listen(window, 'pagehide', drain));
  for (const name in breadcrumbs) {
    const how = settings.breadcrumbs[name as 'click'] ?? true;
    if (how) undos.push(breadcrumbs[name as 'click'](window, note, how as object));
  }
  // What the loader has kept. For all of it once, as clocks of events and of dates are rounded each by itself.
  const clock = Date.now() - performance.now();
  page.undo?.((event) =>
    captureErrorEvent(event, (thrown) => take(thrown, { timestamp: new Date(clock + event.timeStamp) })),
  );
});
