import type { Note } from '../client.ts';
import type { Page } from '../page.ts';
import { copy, cut } from '../scrub.ts';
import { undoAll, type Undo } from '../undo.ts';
import { tag } from '../warn.ts';
import { wrap } from '../wrap.ts';

/** Notes what the page writes to the console, the SDK's own lines left out. */
export function captureConsole(window: Page, note: Note): Undo {
  return undoAll(
    (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) =>
      wrap(window.console, level, (args: unknown[]) => {
        // An object may change, or live on only because we hold it. Scrubbing a text can wait until an error is sent.
        const texts = args.map((arg) => (typeof arg === 'object' ? copy(arg, 256) : cut(String(arg), 256)));
        if (!`${texts[0]}`.startsWith(tag)) note('console', 'console', { level, arguments: texts });
      }),
    ),
  );
}
