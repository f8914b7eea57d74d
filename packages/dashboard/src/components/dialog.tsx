import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { attempt } from './toast.tsx';

/** Something that has to be read or decided before anything else. */
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

interface Question {
  title: string;
  text: string;
  action: string;
  done: string;
  run(): unknown;
}

const question = signal<Question | null>(null);

/** Asks before something that can't be taken back. */
export function ask(asked: Question): void {
  question.value = asked;
}

/** Where it is asked. */
export function Questions() {
  const asked = question.value;
  if (!asked) return null;
  const close = (): void => {
    question.value = null;
  };
  return (
    <Dialog title={asked.title} close={close}>
      <p>{asked.text}</p>
      <div class="actions">
        <button onClick={close}>Cancel</button>
        <button
          class="danger"
          onClick={() => {
            close();
            void attempt(asked.run, asked.done);
          }}
        >
          {asked.action}
        </button>
      </div>
    </Dialog>
  );
}
