import { capture } from '../capture.ts';
import type { Integration } from '../client.ts';
import { normalize } from '../normalize.ts';
import { patchMethod } from '../patch-method.ts';
import { readText } from '../read-property.ts';
import { consolePrefix } from '../warn.ts';

/** Reports `console.error()` calls: the first error among the arguments, else their text. */
export function captureConsole(): Integration {
  return (client) => {
    patchMethod(client, client.window.console, 'error', (args: unknown[]) => {
      if (String(args[0]).startsWith(consolePrefix)) return;
      const error = args.find((arg) => readText(arg, 'stack'));
      capture(client, error ?? args.map(formatArgument).join(' '));
    });
  };
}

function formatArgument(arg: unknown): string {
  return typeof arg === 'object' ? JSON.stringify(normalize(arg, 1_000)) : String(arg);
}
