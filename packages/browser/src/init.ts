import { clearBreadcrumbs, recordBreadcrumb } from './breadcrumbs.ts';
import { captureError, drain } from './capture-error.ts';
import { globalState, start, teardowns } from './client.ts';
import { defaults } from './defaults.ts';
import { globalErrorHandler } from './global-error-handler.ts';
import { guard } from './guard.ts';
import { instrumentClick } from './instruments/click.ts';
import { instrumentConsole } from './instruments/console.ts';
import { instrumentFetch } from './instruments/fetch.ts';
import { instrumentHistory } from './instruments/history.ts';
import { instrumentXhr } from './instruments/xhr.ts';
import { listen } from './listen.ts';
import type { Options, Settings } from './options.ts';
import { patchMethod } from './patch-method.ts';
import { warn } from './warn.ts';

const instruments = {
  navigation: instrumentHistory,
  click: instrumentClick,
  fetch: instrumentFetch,
  xhr: instrumentXhr,
  console: instrumentConsole,
};

/**
 * Starts to report errors. Call it at the very start of the entry point: earlier errors are lost. Only the first
 * call has an effect, until `close()`. Never throws.
 */
export const init = guard((given: Options): void => {
  // The page's own fetch, before it is patched. Where fetch does not exist, this throws, and the SDK stays inert.
  const settings = { ...defaults, fetch } as unknown as Settings;
  for (const name in given) {
    const value = given[name as 'apiKey'];
    // Options without a default are strings.
    if (typeof value === typeof (settings[name as 'apiKey'] ?? '')) settings[name as 'apiKey'] = value;
    else if (value != null) warn('4: Check ' + name);
  }
  const window = start(settings, captureError);
  if (!window) return;
  clearBreadcrumbs();
  teardowns.push(
    drain,
    listen(window, 'error', globalErrorHandler),
    listen(window, 'unhandledrejection', captureError),
    // Tests and old frameworks call `onerror` directly, some with the event alone. Errors that the listener has
    // captured arrive here too, and are dropped as repeats. An earlier handler is still called, and its result is
    // returned.
    patchMethod(window as unknown as { onerror: OnErrorEventHandlerNonNull }, 'onerror', (args) =>
      captureError(args[4] ?? args[0]),
    ),
    listen(window, 'pagehide', drain),
  );
  for (const name in instruments) {
    const setting = settings.breadcrumbs[name as 'click'] ?? true;
    // Guarded, because a page may have frozen an object that an instrument patches.
    if (setting) teardowns.push(guard(instruments[name as 'click'])(window, recordBreadcrumb, setting as object));
  }
  // Captures the errors that the loader snippet kept.
  globalState.undo?.(globalErrorHandler);
});
