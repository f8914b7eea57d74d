import { attempt } from '../attempt.ts';
import { capture } from '../capture.ts';
import type { Integration } from '../client.ts';
import { normalize } from '../normalize.ts';
import { patchMethod } from '../patch-method.ts';
import { readText } from '../read-property.ts';
import { consolePrefix } from '../warn.ts';

/** Reports `console.error()` calls: the first error among the arguments, else their text as the console shows it. */
export function captureConsole(): Integration {
  return (client) => {
    patchMethod(client, client.window.console, 'error', (args: unknown[]) => {
      if (readText(args, '0').startsWith(consolePrefix)) return;
      const error = args.find((arg) => readText(arg, 'stack'));
      capture(client, error ?? formatText(args));
    });
  };
}

/** Replaces `%s` and the other placeholders of the first argument by the following ones, and appends the rest. */
function formatText(args: unknown[]): string {
  const [first, ...rest] = args;
  if (typeof first !== 'string' || rest.length === 0) return args.map(formatArgument).join(' ');
  const text = first.replace(/%[%sdifoOc]/g, (placeholder) => {
    if (placeholder === '%%') return '%';
    if (rest.length === 0) return placeholder;
    const argument = formatArgument(rest.shift());
    // The argument of `%c` is CSS.
    return placeholder === '%c' ? '' : argument;
  });
  return [text, ...rest.map(formatArgument)].join(' ');
}

function formatArgument(arg: unknown): string {
  if (typeof arg === 'object') return JSON.stringify(normalize(arg, 1_000));
  // A function may be a Proxy that cannot be read.
  return attempt(() => String(arg)) ?? '…';
}
