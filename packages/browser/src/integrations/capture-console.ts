import { attempt } from '../attempt.ts';
import { capture } from '../capture.ts';
import type { Integration } from '../client.ts';
import { normalize } from '../normalize.ts';
import { patchMethod } from '../patch-method.ts';
import { readText } from '../read-property.ts';
import type { ScopeFields } from '../report.ts';
import { consolePrefix } from '../warn.ts';

/**
 * Reports `console.error()` calls: the first error among the arguments, else their text as the console shows it. An
 * error is captured in the next microtask: pages and React write an error to the console and then capture it with its
 * details, and the first capture of an error decides which details are reported.
 */
export function captureConsole(): Integration {
  return (client) => {
    /** The errors that were written and are not captured yet, with the scope of that moment. */
    const logged = new Map<unknown, ScopeFields>();

    function captureLogged(): void {
      for (const [error, scope] of logged) capture(client, error, scope);
      logged.clear();
    }

    patchMethod(client, client.window.console, 'error', (args: unknown[]) => {
      if (client.isInCallback || readText(args, '0').startsWith(consolePrefix)) return;
      const error = args.find((arg) => readText(arg, 'stack'));
      if (!error) return void capture(client, formatText(args));
      logged.set(error, { ...client.scope });
      // Not queueMicrotask(), which fake timers replace.
      void Promise.resolve().then(captureLogged);
    });
    client.teardowns.push(captureLogged);
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
