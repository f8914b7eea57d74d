import type { Tokens } from '@service/protocol';
import { call } from '../api/call.ts';
import { Field, Form } from '../parts/form.tsx';
import { address } from '../router/address.ts';
import { pageFacts } from './page-facts.ts';
import { endSession, invitation, me, signIn, signInNote, tradeTokens } from './session.ts';

/** What stands here while nobody is signed in. The address stays, so that a deep link leads on after that. */
export function SignedOut() {
  if (invitation.value !== null) return <Welcome token={invitation.value} />;
  return address.value.pathname === '/register' && pageFacts.isRegistrationOpen ? <Register /> : <SignIn />;
}

function SignIn() {
  return (
    <main class="door">
      <h1 tabIndex={-1}>Sign in</h1>
      {signInNote.value && (
        <p class="problem" role="alert">
          {signInNote.value}
        </p>
      )}
      <Form submit="Sign in" run={({ email = '', password = '' }) => signIn({ email, password })}>
        <Field label="E-mail">
          <input name="email" type="text" inputMode="email" autocomplete="username" required />
        </Field>
        <Field label="Password">
          <input name="password" type="password" autocomplete="current-password" required />
        </Field>
      </Form>
      {pageFacts.isRegistrationOpen && (
        <p>
          New here? <a href="/register">Make an account</a>
        </p>
      )}
      <p class="soft">
        When it started the first time, the server printed e-mail and password, and a link that signs in.
      </p>
    </main>
  );
}

function Register() {
  return (
    <main class="door">
      <h1 tabIndex={-1}>Make an account</h1>
      <Form
        submit="Make account"
        run={async ({ email = '', password = '', team = '' }) => {
          await call<Tokens>('POST', '/auth/register', { email, password, team_name: team.trim() || null });
          await signIn({ email, password });
        }}
      >
        <Field label="E-mail">
          <input name="email" type="email" autocomplete="username" required />
        </Field>
        <Field label="Password" hint="At least 10 characters.">
          <input name="password" type="password" autocomplete="new-password" minLength={10} required />
        </Field>
        <Field label="Name of your team">
          <input name="team" autocomplete="organization" maxLength={200} />
        </Field>
      </Form>
      <p>
        <a href="/sign-in">Sign in</a> if you have one.
      </p>
    </main>
  );
}

/** For who was invited: a password of their own, and in. */
function Welcome({ token }: { token: string }) {
  return (
    <main class="door">
      <h1 tabIndex={-1}>Welcome</h1>
      <Form
        submit="Join"
        run={async ({ name = '', password = '' }) => {
          const person = name.trim() === '' ? { password } : { name, password };
          const tokens = await call<Tokens>('POST', '/auth/invitations/accept', { token, ...person });
          invitation.value = null;
          try {
            await tradeTokens(tokens.access_token, password);
          } catch {
            if (!me.value) endSession('Your password is set. Sign in with it.');
          }
        }}
      >
        <Field label="Your name">
          <input name="name" autocomplete="name" maxLength={200} />
        </Field>
        <Field label="A password of your own" hint="At least 10 characters.">
          <input name="password" type="password" autocomplete="new-password" minLength={10} required />
        </Field>
      </Form>
      <p class="soft">You have been invited to a team that collects the errors of its apps here.</p>
    </main>
  );
}
