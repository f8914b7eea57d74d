import { signal } from '@preact/signals';
import type { Me, Tokens } from '@service/protocol';
import { call, callLast, explain, get, onSessionExpired } from '../api/call.ts';
import { startLive, stopLive } from '../live/live.ts';
import { textOf } from '../components/prose.tsx';
import { address, go } from '../router/address.ts';
import { isTold, toldPosition } from './server-facts.ts';

/** Who is signed in; null: nobody; undefined: the server is being asked. */
export const me = signal<Me | null | undefined>(undefined);
/** Why nobody is, if there is something to tell. */
export const signInNote = signal('');
/** What lets an invited member in, until it is used. */
export const invitation = signal<string | null>(null);

/** Whether somebody was signed in on this page already: what is there, and on its way, is theirs. */
let isUsed = isTold('signed-in');

/** Finds out who is there, and does so again for a link that is opened in this tab. */
export function startSession(): void {
  onSessionExpired(() => endSession(textOf('signed-out')));
  addEventListener(
    'hashchange',
    () => void (/^#(sign-in|invitation|payment|cancelled)=/.test(location.hash) && openSession()),
  );
  void openSession();
}

/** By a link, whose secret is taken from the address at once, or by the cookie. */
async function openSession(): Promise<void> {
  // Where a checkout sends back to.
  if (/^#(payment|cancelled)=/.test(location.hash)) go(`/usage?${location.hash.slice(1)}`, { replace: true });
  const [, kind, token] = /^#(sign-in|invitation)=(.+)$/.exec(location.hash) ?? [];
  if (kind) go('', { replace: true });
  if (kind === 'invitation') {
    invitation.value = token ?? null;
    me.value = null;
    return;
  }
  let isSignedIn = isUsed && me.value !== null;
  if (kind === 'sign-in') {
    try {
      await call('POST', '/auth/session', { token });
      if (isUsed) return location.reload();
      isSignedIn = true;
    } catch (error) {
      // Whoever is signed in already stays so, and is told nothing.
      signInNote.value = explain(error);
    }
  }
  if (isSignedIn) await readMe();
  else me.value = null;
}

async function readMe(): Promise<void> {
  try {
    me.value = await get<Me>('/auth/me');
    isUsed = true;
    startLive(toldPosition);
  } catch (error) {
    endSession(explain(error));
  }
}

/** By e-mail and password. Throws what the server says. */
export async function signIn({ email, password }: Record<string, string>): Promise<void> {
  await call('POST', '/auth/session', { email, password });
  const isDoor = /^.(sign-in|register)$/.test(address.value.pathname);
  if (isUsed) return isDoor ? location.replace('/') : location.reload();
  signInNote.value = '';
  await readMe();
  if (isDoor) go('/', { replace: true });
}

export async function signOut(): Promise<void> {
  // Whatever is under way when the session ends is refused, which browsers note in the console.
  stopLive();
  try {
    await callLast('DELETE', '/auth/session');
    // Nothing stays for whoever comes next.
    location.reload();
  } catch (error) {
    // From no position on, so that what was given up is read anew.
    startLive(null);
    throw error;
  }
}

export function endSession(note: string): void {
  stopLive();
  signInNote.value = note;
  me.value = null;
}

/** Makes an account of one's own, in the team that has invited or in a new one, and signs in. Throws what the server says. */
export async function join({ password = '', ...given }: Record<string, string>): Promise<void> {
  const token = invitation.value;
  const named = Object.entries(given).map(([field, text]) => [field, text.trim() || null]);
  const body = { ...Object.fromEntries(named), password, ...(token && { token }) };
  const made = await call<Tokens>('POST', token ? '/auth/invitations/accept' : '/auth/register', body);
  invitation.value = null;
  try {
    await tradeTokens(made.access_token, password);
  } catch {
    if (!me.value) endSession(textOf('password-set'));
  }
}

/** For a program's tokens, which a new account is answered with: here the browser keeps a cookie, and they end. */
async function tradeTokens(token: string, password: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const { email } = (await (await fetch('/api/v1/auth/me', { headers })).json()) as Me;
  await fetch('/api/v1/auth/logout', { method: 'POST', headers });
  await signIn({ email, password });
}

export const mayWrite = (): boolean => me.value?.role !== 'viewer';
export const isOwner = (): boolean => me.value?.role === 'owner';
/** The first team runs the server, and what concerns all of it is its owners' alone. */
export const isOperator = (): boolean => isOwner() && me.value?.team.id === 1;
