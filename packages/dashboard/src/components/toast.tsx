import { signal } from '@preact/signals';
import { errorMessage } from '../api/api-error.ts';
import { focusHeading } from '../router/focus-heading.ts';

interface Toast {
  text: string;
  isError: boolean;
  undo: (() => unknown) | undefined;
}

const shownMs = 8_000;
const toast = signal<Toast | null>(null);
let timer = 0;

/** Shows a message for some seconds. It replaces the previous one. */
export function showToast(
  text: string,
  { isError = false, undo }: { isError?: boolean; undo?: () => unknown } = {},
): void {
  toast.value = { text, isError, undo };
  clearTimeout(timer);
  timer = setTimeout(hideToast, shownMs);
}

/** Runs an action, and shows a message: `done`, or the error. */
export async function runWithToast(run: () => unknown, done = ''): Promise<void> {
  try {
    await run();
    if (done) showToast(done);
  } catch (error) {
    showToast(errorMessage(error), { isError: true });
  }
}

function hideToast(): void {
  // With the focus elsewhere, the cursor of a screen reader must stay where it is.
  if (document.activeElement?.closest('.notices')) focusHeading();
  toast.value = null;
}

/** Shows the current message. The live region is always on the page, or screen readers would miss a change. */
export function Toasts() {
  return (
    <div class="notices" role="status">
      {toast.value && <ToastMessage {...toast.value} />}
    </div>
  );
}

function ToastMessage({ text, isError, undo }: Toast) {
  return (
    <p class={isError ? 'notice bad' : 'notice'}>
      <span>{text}</span>
      {undo && (
        <button
          class="plain"
          onClick={() => {
            hideToast();
            undo();
          }}
        >
          Undo
        </button>
      )}
      <button class="plain" aria-label="Close" onClick={hideToast}>
        ×
      </button>
    </p>
  );
}
