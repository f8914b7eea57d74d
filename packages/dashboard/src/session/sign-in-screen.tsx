import type { Tokens } from '@service/protocol';
import { call } from '../api/call.ts';
import { Form } from '../parts/form.tsx';
import { Prose } from '../parts/prose.tsx';
import { address } from '../router/address.ts';
import { use } from '../state/signal.ts';
import { pageFacts } from './page-facts.ts';
import { endSession, invitation, me, signIn, signInNote, tradeTokens } from './session.ts';

/** What stands here while nobody is signed in. The address stays, so that a deep link leads on after that. */
export function SignedOut() {
  const token = use(invitation);
  const note = use(signInNote);
  const registers = address.value.pathname === '/register' && pageFacts.isRegistrationOpen;
  const [title, content] =
    token !== null
      ? ['Welcome', <Form key="welcome" fields="welcome" submit="Join" run={(values) => join(token, values)} />]
      : registers
        ? ['Make an account', <Form key="register" fields="register" submit="Make account" run={register} />]
        : ['Sign in', <Form key="sign-in" fields="sign-in" submit="Sign in" run={signIn} />];
  return (
    <main class="door">
      <h1 tabIndex={-1}>{title}</h1>
      <p class="problem" role="alert">
        {note}
      </p>
      {content}
      {pageFacts.isRegistrationOpen && (
        <a href={registers ? '/sign-in' : '/register'}>{registers ? 'Sign in' : 'Make an account'}</a>
      )}
      {token === null && !registers && <Prose id="first-sign-in" />}
    </main>
  );
}

async function register(values: Record<string, string>): Promise<void> {
  await call('POST', '/auth/register', { ...values, team_name: values.team_name?.trim() || null });
  await signIn(values);
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
