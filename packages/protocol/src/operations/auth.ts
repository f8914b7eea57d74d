import {
  LinkInput,
  LoginInput,
  LogoutInput,
  Me,
  MePatch,
  RefreshInput,
  RegisterInput,
  SessionInput,
  Tokens,
} from '../auth.ts';
import { paths } from '../paths.ts';
import type { AnswerBody, Operation } from './operation.ts';

const tokensExample: Tokens = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiI4YjdmIn0.2Zt0J0Jm4o8v5b1b7w1l3g',
  token_type: 'Bearer',
  expires_in: 900,
  refresh_token: 'b25seSBhbiBleGFtcGxlIG9mIGEgdG9rZW4',
};

/** The answer to every way of signing in. */
export const signedIn: AnswerBody = { description: 'Signed in.', body: { schema: Tokens, example: tokensExample } };

const credentials = { email: 'ada@shop.example', password: 'correct horse battery' };

const meExample: Me = {
  id: 1,
  email: 'ada@shop.example',
  name: 'Ada',
  role: 'owner',
  team: { id: 1, name: 'Shop', plan: 'self_hosted' },
};

export const authOperations: Operation[] = [
  {
    id: 'register',
    method: 'post',
    path: paths.register,
    tag: 'Sign-in',
    summary: 'Open an account with a team of its own',
    description: 'Only where the operator has opened registration.',
    auth: 'none',
    body: {
      type: 'application/json',
      schema: RegisterInput,
      example: { ...credentials, name: 'Ada', team_name: 'Shop' },
    },
    answers: { 201: signedIn },
    problems: ['registration_closed', 'email_taken', 'overloaded'],
  },
  {
    id: 'login',
    method: 'post',
    path: paths.login,
    tag: 'Sign-in',
    summary: 'Sign in with e-mail and password',
    description:
      'An unknown e-mail and a wrong password are answered alike. Within 15 minutes 10 may fail for an e-mail and an address, and 50 for an address.',
    auth: 'none',
    body: { type: 'application/json', schema: LoginInput, example: credentials },
    answers: { 200: signedIn },
    problems: ['invalid_credentials', 'too_many_requests', 'overloaded'],
  },
  {
    id: 'refresh',
    method: 'post',
    path: paths.refresh,
    tag: 'Sign-in',
    summary: 'Get a new pair of tokens',
    description: 'A refresh token works once. Used twice it ends its session: somebody else may have got hold of it.',
    auth: 'none',
    body: { type: 'application/json', schema: RefreshInput, example: { refresh_token: tokensExample.refresh_token } },
    answers: { 200: signedIn },
    problems: ['invalid_token'],
  },
  {
    id: 'logout',
    method: 'post',
    path: paths.logout,
    tag: 'Sign-in',
    summary: 'Sign out',
    description: 'By a token of the session, or by its `refresh_token` alone. The session ends at once.',
    auth: 'optional',
    body: {
      type: 'application/json',
      schema: LogoutInput,
      example: { refresh_token: tokensExample.refresh_token },
      optional: true,
    },
    answers: { 204: { description: 'Signed out.', body: null } },
  },
  {
    id: 'getMe',
    method: 'get',
    path: paths.me,
    tag: 'Sign-in',
    summary: 'Find out who one is',
    auth: 'bearer',
    answers: { 200: { description: 'Who is signed in.', body: { schema: Me, example: meExample } } },
  },
  {
    id: 'changeMe',
    method: 'patch',
    path: paths.me,
    tag: 'Sign-in',
    summary: "Change one's own name or password",
    description: 'A new `password` needs the `current_password`. What is absent stays as it is.',
    auth: 'bearer',
    body: { type: 'application/json', schema: MePatch, example: { name: 'Ada' } },
    answers: { 200: { description: 'Who is signed in, as it is now.', body: { schema: Me, example: meExample } } },
    problems: ['invalid_credentials', 'too_many_requests', 'overloaded'],
  },
  {
    id: 'useLink',
    method: 'post',
    path: paths.useLink,
    tag: 'Sign-in',
    summary: 'Sign in with a one-time link',
    description: 'The token stands in the link behind `#sign-in=`. It works once, within 24 hours.',
    auth: 'none',
    body: { type: 'application/json', schema: LinkInput, example: { token: 'b25seSBhbiBleGFtcGxl' } },
    answers: { 200: signedIn },
    problems: ['invalid_token'],
  },
  {
    id: 'openSession',
    method: 'post',
    path: paths.session,
    tag: 'Sign-in',
    summary: 'Sign a browser in, by a cookie',
    description:
      'Takes what `POST /auth/login` or `POST /auth/links/use` takes. The cookie is out of reach of scripts, and its writes have to come from a page of this server.',
    auth: 'none',
    body: { type: 'application/json', schema: SessionInput, example: credentials },
    answers: { 204: { description: 'Signed in: `Set-Cookie` holds the session.', body: null } },
    problems: ['invalid_credentials', 'invalid_token', 'too_many_requests', 'overloaded'],
  },
  {
    id: 'closeSession',
    method: 'delete',
    path: paths.session,
    tag: 'Sign-in',
    summary: 'Sign a browser out',
    description: 'Also without a session: then there is nothing to do.',
    auth: 'none',
    answers: { 204: { description: 'Signed out.', body: null } },
    problems: ['forbidden'],
  },
];
