import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { runWithToast } from './toast.tsx';

/** A modal dialog. */
export function Dialog({ title, children, close }: { title: string; children: ComponentChildren; close(): void }) {
  const dialog = useRef<HTMLDialogElement | null>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={close}>
      <header>
        <h2>{title}</h2>
        <button class="plain" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}

interface Confirmation {
  title: string;
  text: string;
  /** Label of the button that confirms. */
  action: string;
  /** The message after the action. */
  done: string;
  run(): unknown;
}

const confirmation = signal<Confirmation | null>(null);

/** Asks for a confirmation, and then runs the action. */
export function confirmAction(wanted: Confirmation): void {
  confirmation.value = wanted;
}

/** Shows the pending confirmation. */
export function ConfirmationDialog() {
  if (!confirmation.value) return null;
  const { title, text, action, run, done } = confirmation.value;
  const close = (): void => {
    confirmation.value = null;
  };
  return (
    <Dialog title={title} close={close}>
      <p>{text}</p>
      <div class="actions">
        <button onClick={close}>Cancel</button>
        <button
          class="danger"
          onClick={() => {
            close();
            void runWithToast(run, done);
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
