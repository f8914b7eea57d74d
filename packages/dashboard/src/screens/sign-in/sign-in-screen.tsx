import { Form } from '../../components/form.tsx';
import { Prose } from '../../components/prose.tsx';
import { address } from '../../router/address.ts';
import { useEffect } from 'preact/hooks';
import { isTold } from '../../session/server-facts.ts';
import { invitation, join, signIn, signInNote } from '../../session/session.ts';

/** What stands here while nobody is signed in. The address stays, so that a deep link leads on after that. */
export function SignedOut() {
  const token = invitation.value;
  const note = signInNote.value;
  const isNew = token === null && address.value.pathname === '/register';
  const title = isNew ? 'Create an account' : token === null ? 'Sign in' : 'Welcome';
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main class="door" key={title}>
      <h1 tabIndex={-1}>{title}</h1>
      <p class="problem" role="alert">
        {note}
      </p>
      {token !== null ? (
        <Form fields="welcome" submit="Join" run={join} />
      ) : !isNew ? (
        <>
          <Form fields="sign-in" submit="Sign in" run={signIn} />
          <Prose id={isTold('registration') ? 'new-here' : 'first-sign-in'} />
        </>
      ) : isTold('registration') ? (
        <>
          <Form fields="register" submit="Create account" run={join} />
          <Prose id="known-here" />
        </>
      ) : (
        <Prose id="registration-closed" />
      )}
    </main>
  );
}
