import { call } from '../api/call.ts';
import { confirmAction } from './confirmation-dialog.tsx';

interface DeleteButtonProps {
  /** Name of the thing to delete. */
  name: string;
  path: string;
  /** Describes the consequences. */
  warning: string;
  onDeleted(): void;
  verb?: 'Delete' | 'Remove';
}

/** A button that deletes something by its API path, after a confirmation. */
export function DeleteButton({ name, path, warning, onDeleted, verb = 'Delete' }: DeleteButtonProps) {
  const title = `${verb} ${name}`;
  return (
    <button
      class="small"
      aria-label={title}
      onClick={() =>
        confirmAction({
          title: `${title}?`,
          text: warning,
          action: verb,
          done: `${verb}d ${name}.`,
          run: () => call('DELETE', path).then(onDeleted),
        })
      }
    >
      {verb}
    </button>
  );
}
