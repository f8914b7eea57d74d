import { call } from '../api/call.ts';
import { ApiError } from '../api/api-error.ts';
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
          await call('POST', path, values).catch((error: unknown) => {
            if (!(error instanceof ApiError) || error.code !== 'invalid_credentials') throw error;
            // The server's message names e-mail and password. This form has no field for the e-mail.
            throw new ApiError(error.status, { errors: [{ path: 'current_password', detail: error.message }] });
          });
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
          expected="Enter your password."
        />
      </Form>
    </section>
  );
}
