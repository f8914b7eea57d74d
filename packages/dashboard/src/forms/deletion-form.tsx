import { callWithPassword } from './call-with-password.ts';
import { InputField } from './fields.tsx';
import { Form } from './form.tsx';

interface DeletionFormProps {
  /** What is deleted: `account` or `team`. */
  what: string;
  path: string;
  /** Describes the consequences. */
  warning: string;
  /** A field with a name that the user has to repeat. */
  nameField?: string;
}

/** Deletes something that includes the user's own account, after the password confirms it. */
export function DeletionForm({ what, path, warning, nameField }: DeletionFormProps) {
  return (
    <section class="narrow">
      <Form
        submit={`Delete ${what}`}
        class="plain"
        onSubmit={async (values) => {
          await callWithPassword('POST', path, values);
          location.assign('/');
        }}
      >
        <h2>Delete {what}</h2>
        <p class="soft">{warning} This can’t be undone.</p>
        {nameField && (
          <InputField
            name={nameField}
            label={`Name of the ${what}`}
            required
            expected={`Enter the name of the ${what}.`}
          />
        )}
        <InputField
          name="current_password"
          label="Your password"
          type="password"
          autocomplete="current-password"
          required
          expected="This is not your password."
        />
      </Form>
    </section>
  );
}
