import { signal } from '@preact/signals';

interface Notice {
  text: string;
  isBad: boolean;
  action: { label: string; run(): unknown } | undefined;
}

const notice = signal<Notice | null>(null);
let timer = 0;

/** Says what was done, or why it was not, for a while. */
export function say(text: string, isBad = false, action?: Notice['action']): void {
  notice.value = { text, isBad, action };
  clearTimeout(timer);
  timer = setTimeout(unsay, 8_000);
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
          {shown.action && (
            <button
              type="button"
              class="plain"
              onClick={() => {
                unsay();
                shown.action?.run();
              }}
            >
              {shown.action.label}
            </button>
          )}
          <button type="button" class="plain" aria-label="Close" onClick={unsay}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}
