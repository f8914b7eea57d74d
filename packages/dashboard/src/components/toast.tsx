import { signal } from '@preact/signals';
import { explain } from '../api/call.ts';

interface Notice {
  text: string;
  isBad: boolean;
  undo: (() => unknown) | undefined;
}

const notice = signal<Notice | null>(null);
let timer = 0;

/** Says what was done, or why it was not, for a while. */
export function say(text: string, isBad = false, undo?: () => unknown): void {
  notice.value = { text, isBad, undo };
  clearTimeout(timer);
  timer = setTimeout(unsay, 8_000);
}

/** Does something, and says that it is done, or why it is not. */
export async function attempt(run: () => unknown, done = ''): Promise<void> {
  try {
    await run();
    if (done) say(done);
  } catch (error) {
    say(explain(error), true);
  }
}

function unsay(): void {
  notice.value = null;
}

/** Where it is said. It is always there, so that a screen reader hears of what comes into it. */
export function Notices() {
  const shown = notice.value;
  return (
    <div class="notices" role="status">
      {shown && (
        <p class={shown.isBad ? 'notice bad' : 'notice'}>
          <span>{shown.text}</span>
          {shown.undo && (
            <button
              class="plain"
              onClick={() => {
                unsay();
                shown.undo?.();
              }}
            >
              Undo
            </button>
          )}
          <button class="plain" aria-label="Close" onClick={unsay}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}
