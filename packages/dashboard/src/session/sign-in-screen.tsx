import type { Tokens } from '@service/protocol';
import { call } from '../api/call.ts';
import { Form } from '../parts/form.tsx';
import { Prose } from '../parts/prose.tsx';
import { use } from '../state/signal.ts';
import { endSession, invitation, me, signIn, signInNote, tradeTokens } from './session.ts';

/** What stands here while nobody is signed in. The address stays, so that a deep link leads on after that. */
export function SignedOut() {
  const token = use(invitation);
  const note = use(signInNote);
  return (
    <main class="door" key={token}>
      <h1 tabIndex={-1}>{token === null ? 'Sign in' : 'Welcome'}</h1>
      <p class="problem" role="alert">
        {note}
      </p>
      {token === null ? (
        <>
          <Form fields="sign-in" submit="Sign in" run={signIn} />
          <Prose id="first-sign-in" />
        </>
      ) : (
        <Form fields="welcome" submit="Join" run={(values) => join(token, values)} />
      )}
    </main>
  );
}

/** For who was invited: a password of their own, and in. */
async function join(token: string, { name, password = '' }: Record<string, string>): Promise<void> {
  const body = { token, password, name: name?.trim() || null };
  const tokens = await call<Tokens>('POST', '/auth/invitations/accept', body);
  invitation.value = null;
  try {
    await tradeTokens(tokens.access_token, password);
  } catch {
    if (!me.value) endSession('Your password is set. Sign in with it.');
  }
}
