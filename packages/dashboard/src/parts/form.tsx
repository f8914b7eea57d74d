import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { explain } from '../api/call.ts';

interface Props {
  children: ComponentChildren;
  submit: string;
  run(values: Record<string, string>, form: HTMLFormElement): Promise<unknown>;
  isPrimary?: boolean;
  class?: string;
  disabled?: boolean;
}

/** A form that says in itself what goes wrong, and can't be sent twice. */
export function Form({ children, submit, run, isPrimary = true, class: name = '', disabled = false }: Props) {
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const id = useId();
  return (
    <form
      class={name}
      aria-describedby={problem.value ? id : undefined}
      onSubmit={async (event) => {
        event.preventDefault();
        if (isBusy.value) return;
        const form = event.currentTarget;
        problem.value = '';
        isBusy.value = true;
        try {
          await run(Object.fromEntries(new FormData(form)) as Record<string, string>, form);
        } catch (error) {
          problem.value = explain(error);
        }
        isBusy.value = false;
      }}
    >
      {children}
      <p id={id} class="problem" role="alert">
        {problem.value}
      </p>
      <button class={isPrimary ? 'primary' : ''} disabled={disabled} aria-busy={isBusy.value}>
        {submit}
      </button>
    </form>
  );
}

export function Field({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint && <small>{hint}</small>}
    </label>
  );
}
