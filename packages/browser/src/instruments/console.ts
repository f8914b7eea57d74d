import type { RecordBreadcrumb } from '../breadcrumbs.ts';
import type { GlobalWindow } from '../global-state.ts';
import { normalize, truncate } from '../normalize.ts';
import { patchMethod } from '../patch-method.ts';
import type { Teardown } from '../teardown.ts';
import { tag } from '../warn.ts';

// Objects are copied now, because they may change, and a reference would keep them alive. Texts are scrubbed only when
// an error is sent. Numbers stay numbers: browsers cache the text of each number, and that cache would grow by 64 KB.
function shorten(arg: unknown): unknown {
  return typeof arg === 'number' ? arg : typeof arg === 'object' ? normalize(arg, 256) : truncate(String(arg), 256);
}

/** Records each console call, except the SDK's own lines. */
export function instrumentConsole({ console }: GlobalWindow, record: RecordBreadcrumb): Teardown {
  return (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) =>
    patchMethod(console, level, (args: unknown[]) => {
      const shortened = args.map(shorten);
      if (!(shortened[0] as string | null)?.startsWith?.(tag))
        record('console', 'console', { level, arguments: shortened });
    }),
  );
}
