import { signal } from '@preact/signals';
import { runWithToast } from './toast.tsx';
import { Dialog } from './dialog.tsx';

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
