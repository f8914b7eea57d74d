import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A modal dialog. */
export function Dialog({ title, children, close }: { title: string; children: ComponentChildren; close(): void }) {
  const dialog = useRef<HTMLDialogElement | null>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    // A dialog that is only removed does not return the focus to the element that had it.
    return () => current?.close();
  }, []);
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
