import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { ApiError, errorMessage, fieldMessage } from '../api/api-error.ts';
import { clearFieldProblems, showFieldProblems, type FieldNames } from './field-problems.ts';

interface FormProps<Name extends string> {
  /** The fields. They are uncontrolled: the browser keeps what the user types. */
  children: ComponentChildren;
  /** Label of the button. */
  submit: string;
  /** Form fields by the field path of the request, where their names differ. */
  fieldNames?: FieldNames;
  /** Gets the text of each field, and `on` or an empty text of each checkbox. The form shows what it throws. */
  onSubmit(values: Record<Name, string>, form: HTMLFormElement): Promise<unknown>;
  /** `row` puts the button next to the fields. `plain` is for a form that is not the main one of its screen. */
  class?: 'row' | 'plain';
  disabled?: boolean;
}

/** A form that shows its own errors and can't be submitted twice. */
export function Form<Name extends string>(props: FormProps<Name>) {
  const { children, submit, fieldNames = {}, onSubmit, class: className, disabled } = props;
  const problem = useSignal('');
  const isBusy = useSignal(false);
  return (
    <form
      class={className}
      onSubmit={async (event) => {
        event.preventDefault();
        if (isBusy.value) return;
        const form = event.currentTarget;
        problem.value = '';
        clearFieldProblems(form);
        isBusy.value = true;
        try {
          await onSubmit(valuesOf(form) as Record<Name, string>, form);
        } catch (error) {
          problem.value =
            error instanceof ApiError && error.fields.length > 0
              ? showFieldProblems(form, error.fields, fieldNames).map(fieldMessage).join('\n')
              : errorMessage(error);
        }
        isBusy.value = false;
      }}
    >
      <fieldset disabled={disabled}>{children}</fieldset>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <button class={className ? '' : 'primary'} disabled={disabled} aria-busy={isBusy.value}>
        {submit}
      </button>
    </form>
  );
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, type, value, checked } of form.querySelectorAll<HTMLInputElement>('[name]'))
    values[name] = type === 'checkbox' && !checked ? '' : value;
  return values;
}
