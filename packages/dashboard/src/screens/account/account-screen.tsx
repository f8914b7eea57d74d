import type { Me } from '@service/protocol';
import { call } from '../../api/call.ts';
import { showToast } from '../../components/toast.tsx';
import { callWithPassword } from '../../forms/call-with-password.ts';
import { DeletionForm } from '../../forms/deletion-form.tsx';
import { InputField, NewPasswordField, PersonNameField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useTitle } from '../../router/title.ts';
import { me } from '../../session/session.ts';
import { EmailStatus } from '../../shell/email-status.tsx';
import { Tokens } from './tokens.tsx';

/** Tokens, name and password of the signed-in user. */
export function AccountScreen() {
  useTitle('Account');
  const { name, email, role, team } = me.value as Me;
  return (
    <main>
      <h1 tabIndex={-1}>{name ?? 'Account'}</h1>
      <p class="soft">
        {email}, {role} of {team.name}
      </p>
      <EmailStatus />
      <Tokens />
      <section class="narrow">
        <Form<'name'>
          submit="Rename"
          class="row"
          onSubmit={async (values) => {
            me.value = await call<Me>('PATCH', '/auth/me', { name: values.name.trim() || null });
            showToast('Saved.');
          }}
        >
          <PersonNameField defaultValue={name ?? ''} placeholder={email} />
        </Form>
      </section>
      <section class="narrow">
        <Form<'current_password' | 'password'>
          submit="Change password"
          class="plain"
          onSubmit={async (values, form) => {
            await callWithPassword('PATCH', '/auth/me', values);
            form.reset();
            showToast('Password changed.');
          }}
        >
          <h2>Password</h2>
          <InputField
            name="current_password"
            label="Current password"
            type="password"
            autocomplete="current-password"
            required
            expected="This is not your current password."
          />
          <NewPasswordField label="New password" hint="Other sessions will be signed out." />
        </Form>
      </section>
      <DeletionForm
        what="account"
        path="/auth/me/delete"
        warning="Your sessions and tokens stop working. Reports and changes of the team are kept."
      />
    </main>
  );
}
