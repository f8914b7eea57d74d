import {
  AccountDeletion,
  apiPrefix,
  ConfirmationInput,
  LinkInput,
  LoginInput,
  LogoutInput,
  MePatch,
  paths,
  RefreshInput,
  RegisterInput,
  SessionInput,
} from '@service/protocol';
import type { H3, H3Event } from 'h3';
import { sessionOf, type Caller } from '../accounts/caller.ts';
import { deleteMe } from '../accounts/delete-me.ts';
import { updateMe, readMe } from '../accounts/me.ts';
import { assertRegistrationIsOpen, register } from '../accounts/register.ts';
import {
  endSession,
  endSessionByToken,
  findCookieSession,
  createCookieSession,
  createTokenSession,
  refreshSession,
} from '../accounts/sessions.ts';
import { userByLink, userByPassword } from '../accounts/sign-in.ts';
import { useConfirmation } from '../accounts/use-confirmation.ts';
import { sendVerification } from '../accounts/verification.ts';
import { authenticate, readBearer } from '../http/authenticate.ts';
import { readBody, readNoBody, readOptionalBody } from '../http/body.ts';
import { clientAddress } from '../http/client-address.ts';
import { assertNoQuery } from '../http/query.ts';
import { assertSameOrigin } from '../http/same-origin.ts';
import { deleteSessionCookie, readSessionCookie, setSessionCookie } from '../http/session-cookie.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';

/** Registration, sign-in and sign-out by tokens or cookie, and the user's own account. */
export function authRoutes(app: H3, services: Services): void {
  app.post(apiPrefix + paths.register, async (event) => {
    assertRegistrationIsOpen(services);
    const input = await readBody(event, RegisterInput);
    const tokens = await register(services, input, clientAddress(services, event));
    event.res.status = 201;
    return tokens;
  });

  app.post(apiPrefix + paths.login, async (event) => {
    const input = await readBody(event, LoginInput);
    return createTokenSession(services, await userByPassword(services, input, clientAddress(services, event)));
  });

  app.post(apiPrefix + paths.useLink, async (event) =>
    createTokenSession(services, userByLink(await readBody(event, LinkInput))),
  );

  app.post(apiPrefix + paths.refresh, async (event) => refreshSession(services, await readBody(event, RefreshInput)));

  app.post(apiPrefix + paths.logout, async (event) => {
    const caller = await mayAuthenticate(event);
    const { refresh_token } = await readOptionalBody(event, LogoutInput);
    if (refresh_token !== undefined) await endSessionByToken(services, refresh_token);
    else if (caller instanceof Error) throw caller;
    if (!(caller instanceof Error)) await signOut(event, caller, refresh_token !== undefined);
    event.res.status = 204;
    return null;
  });

  app.get(apiPrefix + paths.me, async (event) => {
    const caller = await authenticate(services, event);
    assertNoQuery(event);
    return readMe(services, caller);
  });

  app.patch(apiPrefix + paths.me, async (event) => {
    const caller = await authenticate(services, event);
    const patch = await readBody(event, MePatch);
    return updateMe(services, caller, patch, clientAddress(services, event));
  });

  app.post(apiPrefix + paths.deleteMe, async (event) => {
    const caller = await authenticate(services, event);
    await deleteMe(services, caller, await readBody(event, AccountDeletion), clientAddress(services, event));
    if (caller.credential.kind === 'cookie') deleteSessionCookie(services, event);
    event.res.status = 204;
    return null;
  });

  app.post(apiPrefix + paths.verification, async (event) => {
    const caller = await authenticate(services, event);
    await readNoBody(event);
    await sendVerification(services, caller);
    event.res.status = 204;
    return null;
  });

  app.post(apiPrefix + paths.confirmation, async (event) =>
    useConfirmation(services, await readBody(event, ConfirmationInput)),
  );

  app.post(apiPrefix + paths.session, async (event) => {
    const input = await readBody(event, SessionInput);
    const userId =
      'token' in input ? userByLink(input) : await userByPassword(services, input, clientAddress(services, event));
    setSessionCookie(services, event, await createCookieSession(services, userId));
    event.res.status = 204;
    return null;
  });

  app.delete(apiPrefix + paths.session, async (event) => {
    const secret = readSessionCookie(event);
    const session = secret === null ? null : findCookieSession(services, secret);
    if (session) assertSameOrigin(services, event);
    assertNoQuery(event);
    if (session) await endSession(services, session.id);
    deleteSessionCookie(services, event);
    event.res.status = 204;
    return null;
  });

  /**
   * Resolves with the caller. Without a Bearer token, resolves with the error instead of rejecting: a refresh token may
   * suffice.
   */
  function mayAuthenticate(event: H3Event): Promise<Caller | Error> {
    const caller = authenticate(services, event);
    return readBearer(event) === null ? caller.catch((error: Error) => error) : caller;
  }

  async function signOut(event: H3Event, caller: Caller, isSignedOut: boolean): Promise<void> {
    const id = sessionOf(caller);
    if (id !== undefined) await endSession(services, id);
    else if (!isSignedOut)
      throw new ProblemError('forbidden', 'This token has no session that could end. Delete the token instead.');
    if (caller.credential.kind === 'cookie') deleteSessionCookie(services, event);
  }
}
