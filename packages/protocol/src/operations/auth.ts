import {
  AccountDeletion,
  Confirmation,
  ConfirmationInput,
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
import { noInput } from './no-input.ts';
import type { OperationResponse, Operation } from './operation.ts';

const tokensExample: Tokens = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiI4YjdmIn0.2Zt0J0Jm4o8v5b1b7w1l3g',
  token_type: 'Bearer',
  expires_in: 900,
  refresh_token: 'b25seSBhbiBleGFtcGxlIG9mIGEgdG9rZW4',
};

/** The response of every operation that signs in with tokens. */
export const signedInResponse: OperationResponse = {
  description: 'The caller is signed in.',
  body: { schema: Tokens, example: tokensExample },
};

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
    summary: 'Register an account with a new team',
    description:
      'Available only if the operator has set `SERVICE_REGISTRATION=open`. If the server sends mails, the address gets a link. Until the link is opened, the account can only read. An account that is not confirmed within 7 days is deleted with its team at a later registration, unless the server sends no mails then, or the team has a project, a second member or a plan.',
    auth: 'none',
    body: {
      type: 'application/json',
      schema: RegisterInput,
      example: { ...credentials, name: 'Ada', team_name: 'Shop' },
    },
    responses: { 201: signedInResponse },
    problems: ['registration_closed', 'email_taken', 'too_many_requests', 'overloaded'],
  },
  {
    id: 'login',
    method: 'post',
    path: paths.login,
    tag: 'Sign-in',
    summary: 'Sign in with e-mail and password',
    description:
      'An unknown e-mail and a wrong password get the same response. In 15 minutes, at most 10 sign-ins may fail for the same e-mail and IP address, and at most 50 for the same IP address.',
    auth: 'none',
    body: { type: 'application/json', schema: LoginInput, example: credentials },
    responses: { 200: signedInResponse },
    problems: ['invalid_credentials', 'team_disabled', 'too_many_requests', 'overloaded'],
  },
  {
    id: 'refresh',
    method: 'post',
    path: paths.refresh,
    tag: 'Sign-in',
    summary: 'Refresh the tokens of a session',
    description:
      'Returns a new access token and a new refresh token. A refresh token works once. A second use ends its session, because the token may have been stolen.',
    auth: 'none',
    body: { type: 'application/json', schema: RefreshInput, example: { refresh_token: tokensExample.refresh_token } },
    responses: { 200: signedInResponse },
    problems: ['invalid_token', 'team_disabled'],
  },
  {
    id: 'logout',
    method: 'post',
    path: paths.logout,
    tag: 'Sign-in',
    summary: 'Sign out',
    description:
      'Ends the session of the access token, or of the `refresh_token` in the body. Takes effect immediately.',
    auth: 'optional',
    body: {
      type: 'application/json',
      schema: LogoutInput,
      example: { refresh_token: tokensExample.refresh_token },
      optional: true,
    },
    responses: { 204: { description: 'The session has ended.', body: null } },
  },
  {
    id: 'getMe',
    method: 'get',
    path: paths.me,
    tag: 'Sign-in',
    summary: 'Get the signed-in user',
    auth: 'bearer',
    responses: { 200: { description: 'The signed-in user.', body: { schema: Me, example: meExample } } },
  },
  {
    id: 'changeMe',
    method: 'patch',
    path: paths.me,
    tag: 'Sign-in',
    summary: 'Update the signed-in user',
    description: 'A new `password` requires the `current_password`. Absent fields keep their value.',
    auth: 'bearer',
    body: { type: 'application/json', schema: MePatch, example: { name: 'Ada' } },
    responses: { 200: { description: 'The updated user.', body: { schema: Me, example: meExample } } },
    problems: ['invalid_credentials', 'too_many_requests', 'overloaded'],
  },
  {
    id: 'deleteMe',
    method: 'post',
    path: paths.deleteMe,
    tag: 'Sign-in',
    summary: 'Delete the signed-in user',
    description:
      'Ends all sessions and tokens of the user. The last owner of a team must first make another member an owner, or delete the team.',
    auth: 'bearer',
    body: { type: 'application/json', schema: AccountDeletion, example: { current_password: credentials.password } },
    responses: { 204: { description: 'The account is deleted.', body: null } },
    problems: ['invalid_credentials', 'last_owner', 'too_many_requests', 'overloaded'],
  },
  {
    id: 'sendVerification',
    method: 'post',
    path: paths.verification,
    tag: 'Sign-in',
    summary: 'Send a link that verifies the address of the signed-in user',
    description: 'One address gets at most 3 confirmation mails per day.',
    auth: 'bearer',
    body: noInput,
    responses: { 204: { description: 'The mail is queued.', body: null } },
    problems: ['conflict', 'too_many_requests'],
  },
  {
    id: 'useConfirmation',
    method: 'post',
    path: paths.confirmation,
    tag: 'Sign-in',
    summary: 'Confirm or decline an e-mail address',
    description:
      'The token follows `/confirm/` in the link of the mail. The link works for 7 days; declining works at any time.',
    auth: 'none',
    body: {
      type: 'application/json',
      schema: ConfirmationInput,
      example: { token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImNvbmZpcm0ifQ.eyJraW5kIjoiYWNjb3VudCJ9.2Zt0J0Jm4o8v5b1b7w1l3g' },
    },
    responses: {
      200: {
        description: 'The new status of the address.',
        body: {
          schema: Confirmation,
          example: {
            kind: 'account',
            email: 'ada@shop.example',
            team: 'Shop',
            status: 'confirmed',
          } satisfies Confirmation,
        },
      },
    },
    problems: ['invalid_token'],
  },
  {
    id: 'useLink',
    method: 'post',
    path: paths.useLink,
    tag: 'Sign-in',
    summary: 'Sign in with a one-time link',
    description: 'The token follows `#sign-in=` in the link. It works once, within 24 hours.',
    auth: 'none',
    body: { type: 'application/json', schema: LinkInput, example: { token: 'b25seSBhbiBleGFtcGxl' } },
    responses: { 200: signedInResponse },
    problems: ['invalid_token', 'team_disabled'],
  },
  {
    id: 'openSession',
    method: 'post',
    path: paths.session,
    tag: 'Sign-in',
    summary: 'Sign in a browser with a cookie',
    description:
      'Accepts the body of `POST /auth/login` or of `POST /auth/links/use`. Scripts cannot read the cookie. Write requests with the cookie are accepted only from pages of this server.',
    auth: 'none',
    body: { type: 'application/json', schema: SessionInput, example: credentials },
    responses: { 204: { description: 'The caller is signed in. `Set-Cookie` holds the session.', body: null } },
    problems: ['invalid_credentials', 'invalid_token', 'team_disabled', 'too_many_requests', 'overloaded'],
  },
  {
    id: 'closeSession',
    method: 'delete',
    path: paths.session,
    tag: 'Sign-in',
    summary: 'Sign out a browser',
    description: 'Succeeds even if there is no session.',
    auth: 'none',
    responses: { 204: { description: 'The session has ended.', body: null } },
    problems: ['forbidden'],
  },
];
