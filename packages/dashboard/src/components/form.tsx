import { useLayoutEffect, useRef } from 'preact/hooks';
import { explain, explainField, Refusal } from '../api/call.ts';
import { useSignal } from '@preact/signals';
import { clearFieldProblems, showFieldProblems, type FieldNames } from './field-problems.ts';
import { copyOf } from './prose.tsx';

interface FormProps {
  /** Id of its fields in the document. */
  fields: string;
  /** What stands in them at first, by their names. */
  values?: Record<string, string | boolean>;
  submit: string;
  /** Fields of the form by those of the request, where their names differ. */
  names?: FieldNames;
  /** Is given what the fields hold. What it throws is told in the form. */
  run(values: Record<string, string>, form: HTMLFormElement): Promise<unknown>;
  /** A form that is one of several on its screen has one, and its button does not stand out. */
  class?: 'row' | 'plain' | undefined;
  disabled?: boolean;
}

/** A form that says in itself what goes wrong, and can't be sent twice. */
export function Form({ fields, values = {}, names = {}, submit, run, class: name, disabled }: FormProps) {
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const place = useRef<HTMLFieldSetElement | null>(null);
  useLayoutEffect(() => {
    const { current } = place;
    current?.replaceChildren(copyOf(fields));
    for (const [field, value] of Object.entries(values)) {
      const input = current?.querySelector<HTMLInputElement>(`[name=${field}]`);
      if (input && typeof value === 'boolean') input.checked = value;
      else if (input) input.value = `${value}`;
    }
  }, [fields]);
  return (
    <form
      class={name}
      onSubmit={async (event) => {
        event.preventDefault();
        if (isBusy.value) return;
        const form = event.currentTarget;
        problem.value = '';
        clearFieldProblems(form);
        isBusy.value = true;
        try {
          await run(Object.fromEntries(new FormData(form)) as Record<string, string>, form);
        } catch (error) {
          problem.value =
            error instanceof Refusal && error.fields.length > 0
              ? showFieldProblems(form, error.fields, names).map(explainField).join('\n')
              : explain(error);
        }
        isBusy.value = false;
      }}
    >
      <fieldset ref={place} disabled={disabled} />
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <button class={name ? '' : 'primary'} disabled={disabled} aria-busy={isBusy.value}>
        {submit}
      </button>
    </form>
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, title: string])[];
  choose(value: string): unknown;
}

/** A choice whose label is only heard. */
export function Select({ label, value, options, choose }: SelectProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {options.map(([option, title]) => (
        <option key={option} value={option} selected={option === value}>
          {title}
        </option>
      ))}
    </select>
  );
}
