import { signal } from '@preact/signals';
import type { Me, Tokens } from '@service/protocol';
import { call, callLast, get, onSessionExpired } from '../api/call.ts';
import { errorMessage } from '../api/api-error.ts';
import { startLive, stopLive } from '../live/live-events.ts';
import { address, go } from '../router/address.ts';
import { hasFact, initialStreamPosition } from '../server-facts.ts';

/** The signed-in user. Null: no user is signed in. Undefined: not known yet. */
export const me = signal<Me | null | undefined>(undefined);
/** The message on the sign-in screen. Empty if there is no message. */
export const signInMessage = signal('');
/** The token of an invitation, until it is accepted. */
export const invitation = signal<string | null>(null);

const sessionExpiredMessage = 'Your session expired. Sign in again.';

/** True once a user was signed in on this page: its state and its requests in flight may belong to that user. */
let hadUser = hasFact('signed-in');

/** Opens the session now, and whenever this tab opens a sign-in link or an invitation, or returns from a checkout. */
export function startSession(): void {
  onSessionExpired(expireSession);
  addEventListener(
    'hashchange',
    () => void (/^#(sign-in|invitation|payment|cancelled)=/.test(location.hash) && openSession()),
  );
  void openSession();
}

/**
 * Signs in by a link or by the cookie, or shows the form of an invitation. Removes the secret of a link from the
 * address immediately.
 */
async function openSession(): Promise<void> {
  // A checkout redirects to these fragments.
  if (/^#(payment|cancelled)=/.test(location.hash)) go(`/usage?${location.hash.slice(1)}`, { replace: true });
  const [, kind, token] = /^#(sign-in|invitation)=(.+)$/.exec(location.hash) ?? [];
  if (kind) {
    go('', { replace: true });
    // The message of a previous link does not concern this one.
    signInMessage.value = '';
  }
  if (kind === 'invitation') {
    invitation.value = token ?? null;
    me.value = null;
    return;
  }
  let isSignedIn = hadUser && me.value !== null;
  if (kind === 'sign-in') {
    try {
      await call('POST', '/auth/session', { token });
      if (hadUser) return location.reload();
      isSignedIn = true;
    } catch (error) {
      // A user who is already signed in stays so and does not see this message.
      signInMessage.value = errorMessage(error);
    }
  }
  if (isSignedIn) await loadMe();
  else me.value = null;
}

async function loadMe(): Promise<void> {
  try {
    me.value = await get<Me>('/auth/me');
    hadUser = true;
    startLive(initialStreamPosition, expireSession);
  } catch (error) {
    endSession(errorMessage(error));
  }
  invitation.value = null;
}

/** Signs in by e-mail and password. Rejects with the server's error. */
export async function signIn({ email, password }: { email: string; password: string }): Promise<void> {
  await call('POST', '/auth/session', { email, password });
  const isSignInPage = /^.(sign-in|register)$/.test(address.value.pathname);
  if (hadUser) return isSignInPage ? location.replace('/') : location.reload();
  signInMessage.value = '';
  await loadMe();
  if (isSignInPage) go('/', { replace: true });
}

export async function signOut(): Promise<void> {
  // The stream ends with the session. Its next request would get a 401, which browsers log.
  stopLive();
  try {
    await callLast('DELETE', '/auth/session');
    // The next user must not see the data of this user.
    location.reload();
  } catch (error) {
    // Without a position, the stream starts with a reset, which repeats the aborted requests.
    startLive(null, expireSession);
    throw error;
  }
}

/** Shows the sign-in screen because the server has ended the session. */
const expireSession = (): void => endSession(sessionExpiredMessage);

function endSession(message: string): void {
  stopLive();
  signInMessage.value = message;
  me.value = null;
}

interface NewAccount {
  email?: string;
  password: string;
  name: string;
  team_name?: string;
}

/** Creates an account, in the team of the invitation or in a new one, and signs in. Rejects with the server's error. */
export async function createAccount({ password, ...others }: NewAccount): Promise<void> {
  const token = invitation.value;
  const filledIn = Object.entries(others).map(([field, text]: [string, string]) => [field, text.trim() || null]);
  const body = { ...Object.fromEntries(filledIn), password, ...(token && { token }) };
  const tokens = await call<Tokens>('POST', token ? '/auth/invitations/accept' : '/auth/register', body);
  try {
    // Until the user is loaded, the form of the invitation stays on screen.
    await exchangeTokens(tokens.access_token, password);
  } catch {
    invitation.value = null;
    if (!me.value) endSession('Your password is set. Sign in with it.');
  }
}

/** Signs in by cookie, and ends the tokens of a new account: those are meant for programs. */
async function exchangeTokens(token: string, password: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const { email } = (await (await fetch('/api/v1/auth/me', { headers })).json()) as Me;
  await fetch('/api/v1/auth/logout', { method: 'POST', headers });
  await signIn({ email, password });
}
