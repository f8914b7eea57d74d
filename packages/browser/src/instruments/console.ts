import { recordBreadcrumb } from '../breadcrumbs.ts';
import type { Client } from '../client.ts';
import { normalize, truncate } from '../normalize.ts';
import { patchMethod } from '../patch-method.ts';
import { readText } from '../read-property.ts';
import { consolePrefix } from '../warn.ts';

// Objects are copied now, because they may change, and a reference would keep them alive. Texts are scrubbed only when
// an error is sent. Numbers stay numbers: browsers cache the text of each number, and that cache would grow by 64 KB.
function shorten(arg: unknown): unknown {
  if (typeof arg === 'number') return arg;
  return typeof arg === 'object' ? normalize(arg, 256) : truncate(String(arg), 256);
}

/** Records calls of console.debug, info, log, warn and error, except the SDK's own lines. */
export function instrumentConsole(client: Client): void {
  for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    patchMethod(client, client.window.console, level, (args: unknown[]) => {
      const shortened = args.map(shorten);
      if (readText(shortened, '0').startsWith(consolePrefix)) return;
      recordBreadcrumb(client, 'console', 'console', { level, arguments: shortened });
    });
  }
}
