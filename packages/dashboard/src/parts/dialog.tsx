import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Something that has to be read or decided before anything else. */
export function Dialog({ title, children, close }: { title: string; children: ComponentChildren; close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div class="dialog">
        <header>
          <h2>{title}</h2>
          <button type="button" class="plain" aria-label="Close" onClick={close}>
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Asks before something that can't be taken back. */
export function Confirm({
  title,
  children,
  action,
  close,
  run,
}: {
  title: string;
  children: ComponentChildren;
  action: string;
  close(): void;
  run(): unknown;
}) {
  return (
    <Dialog title={title} close={close}>
      {children}
      <div class="actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            close();
            run();
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
