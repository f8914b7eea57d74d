import { InputField, NewEmailField, NewPasswordField, PersonNameField, maxNameChars } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { productName } from '../../product-name.ts';
import { address } from '../../router/address.ts';
import { useTitle } from '../../router/title.ts';
import { hasFact } from '../../server-facts.ts';
import { createAccount, invitation, signIn, signInMessage } from '../../session/session.ts';

const signInScreens = {
  'sign-in': { title: 'Sign in', Content: SignIn },
  register: { title: 'Create an account', Content: Register },
  invitation: { title: 'Welcome', Content: AcceptInvitation },
};

/** Shown while no user is signed in. The address stays the same, so the wanted screen appears after signing in. */
export function SignInScreen() {
  const isRegistering = address.value.pathname === '/register';
  const name = invitation.value !== null ? 'invitation' : isRegistering ? 'register' : 'sign-in';
  const { title, Content } = signInScreens[name];
  useTitle(title);
  return (
    <main class="sign-in" key={name}>
      <h1 tabIndex={-1}>{title}</h1>
      <p class="problem" role="alert">
        {signInMessage.value}
      </p>
      <Content />
    </main>
  );
}

function SignIn() {
  return (
    <>
      <Form<'email' | 'password'> submit="Sign in" onSubmit={signIn}>
        <InputField name="email" label="E-mail" inputMode="email" autocomplete="username" required />
        <InputField name="password" label="Password" type="password" autocomplete="current-password" required />
      </Form>
      {hasFact('registration') ? (
        <p class="soft">
          New here? <a href="/register">Create an account</a>
        </p>
      ) : (
        <p class="soft">
          No password? Ask an owner of your team or the operator. The server printed one on its first start;{' '}
          <code>service-server reset-password</code> prints a new one.
        </p>
      )}
    </>
  );
}

function Register() {
  if (!hasFact('registration'))
    return (
      <p>
        You need an invitation to create an account. Ask an owner of your team. Already have an account?{' '}
        <a href="/sign-in">Sign in</a>
      </p>
    );
  return (
    <>
      <Form<'email' | 'password' | 'name' | 'team_name'> submit="Create account" onSubmit={createAccount}>
        <NewEmailField autocomplete="username" />
        <NewPasswordField label="Password" />
        <PersonNameField />
        <InputField
          name="team_name"
          label="Team name"
          autocomplete="organization"
          maxLength={maxNameChars}
          hint="You can invite others later."
        />
      </Form>
      <p class="soft">
        Already have an account? <a href="/sign-in">Sign in</a>
      </p>
    </>
  );
}

function AcceptInvitation() {
  return (
    <Form<'name' | 'password'> submit="Join" onSubmit={createAccount}>
      <p class="soft">You were invited to join a team on {productName}.</p>
      <PersonNameField />
      <NewPasswordField label="Choose a password" />
    </Form>
  );
}
