import { copy, cut } from '../copy.ts';
import type { Page } from '../page.ts';
import type { Note } from '../trail.ts';
import type { Undo } from '../undo.ts';
import { tag } from '../warn.ts';
import { wrap } from '../wrap.ts';

// An object may change, or live on only because we hold it. Scrubbing a text can wait until an error is sent. A number
// stays one: browsers keep a list of the texts of numbers, which would grow by 64 KB.
function short(arg: unknown): unknown {
  return typeof arg === 'number' ? arg : typeof arg === 'object' ? copy(arg, 256) : cut(String(arg), 256);
}

/** Notes what the page writes to the console, the SDK's own lines left out. */
export function captureConsole({ console }: Page, note: Note): Undo {
  return (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) =>
    wrap(console, level, (args: unknown[]) => {
      const texts = args.map(short);
      if (!(texts[0] as string | null)?.startsWith?.(tag)) note('console', 'console', { level, arguments: texts });
    }),
  );
}
