/** Sign-in, sessions, personal access tokens, members, and what each role may do. */
export const authenticationRequirements = {
  'auth.key_in_body': 'POST /errors needs no header, only the project key in the body',
  'auth.bearer': 'every other operation needs Authorization: Bearer',
  'auth.open':
    'sign-in, registration, links, invitations, the signed webhook, health and the OpenAPI description need no token',
  'auth.first_owner': "the first start creates the operator's owner",

  'auth.register.created': 'registering returns 201 with the same body as login',
  'auth.register.team': 'registering creates a team that the new user owns',
  'auth.register.names': 'registering accepts name and team_name',
  'auth.register.closed': 'registering returns 403 unless the operator has opened registration',
  'auth.register.taken': 'registering an e-mail address that is in use returns 409 email_taken, in upper or lower case',
  'auth.password.short': 'setting a password under 10 characters returns 422 in every operation',

  'auth.login.tokens': 'login returns access_token, token_type Bearer, expires_in and refresh_token',
  'auth.login.wrong': 'login returns the same 401 for a wrong password and an unknown e-mail address',
  'auth.login.time': 'login takes equally long for an unknown e-mail address and a wrong password',
  'auth.login.limit.pair':
    'after 10 failures login returns 429 for this pair of e-mail and client address, even with the right password',
  'auth.login.limit.others': 'another e-mail address can still sign in from that client address',
  'auth.login.limit.address': 'after 50 failures login returns 429 for the client address, with any e-mail address',
  'auth.login.limit.reset': 'a successful login resets the failures of the pair',
  'auth.login.limit.window': 'login works again 15 minutes after the failures',
  'auth.login.limit.socket': 'the client address is that of the socket, regardless of headers',
  'auth.login.limit.proxy': 'with SERVICE_TRUST_PROXY the client address is the one that the proxy reports',

  'auth.refresh.pair': 'a refresh token returns a new pair of tokens',
  'auth.refresh.once': 'a refresh token works once',
  'auth.refresh.reuse': 'using a refresh token twice revokes its whole chain, including access tokens',
  'auth.refresh.others': 'the reuse of a refresh token leaves other sessions of the user valid',
  'auth.refresh.race': 'concurrent uses of a refresh token revoke its chain',

  'auth.logout.bearer': 'logout with a Bearer token returns 204 and ends the session immediately',
  'auth.logout.refresh': 'logout with only a refresh token returns 204 and ends the session immediately',
  'auth.logout.both_dead': 'after logout the access token and the refresh token return 401',

  'auth.me.get': 'GET /auth/me returns { id, email, name, role, team: { id, name, plan } }',
  'auth.me.name': 'PATCH /auth/me changes the name',
  'auth.me.password': 'PATCH /auth/me changes the password if the body has the current one',
  'auth.me.current': 'PATCH /auth/me rejects a new password if the current one is missing or wrong',

  'auth.links.use': 'a sign-in link returns 200 with the same body as login',
  'auth.links.once': 'a sign-in link works once, even under concurrent use',
  'auth.links.expire': 'a sign-in link expires after 24 hours',
  'auth.invitations.accept': 'accepting an invitation with a password returns 201 with the same body as login',
  'auth.invitations.once': 'an invitation works once',
  'auth.invitations.expire': 'an invitation expires after 24 hours',
  'auth.used': 'used or expired links, invitations and refresh tokens return 401 invalid_token',

  'auth.session.cookie':
    'POST /auth/session returns 204 with an HttpOnly, SameSite=Strict cookie that authenticates API requests',
  'auth.session.end': 'DELETE /auth/session returns 204 and invalidates the cookie',
  'auth.session.sliding': 'the cookie expires 12 hours after its last use',
  'auth.session.longest': 'the cookie expires after 30 days at the latest',
  'auth.session.csrf':
    'a write with the cookie but without a same-origin Origin or Sec-Fetch-Site header returns 403 forbidden',
  'auth.session.csrf_order': 'the origin of a cookie write is checked right after the token, before the id',
  'auth.session.reads': 'reads with the cookie need neither header',

  'auth.tokens.create': 'POST /auth/tokens returns 201 { id, name, token, created_at, expires_at }',
  'auth.tokens.prefix': 'a personal access token starts with pat_ and works as a Bearer token',
  'auth.tokens.once': 'lists do not contain the token',
  'auth.tokens.hashed': 'the storage does not contain the token',
  'auth.tokens.role': 'a personal access token has the current role of the user who created it',
  'auth.tokens.own': 'a personal access token is visible only to the user who created it: others get 404',
  'auth.tokens.expire': 'a personal access token returns 401 after expires_at',
  'auth.tokens.delete': 'DELETE returns 204 and revokes the token immediately',

  'auth.members.page': 'GET /members returns a page of { id, email, name, role, status, created_at }',
  'auth.members.active': 'POST /members with a password creates an active member who can sign in',
  'auth.members.invited': 'POST /members without a password creates an invited member and returns invite_url',
  'auth.members.invite_once': 'only the response to POST /members contains invite_url',
  'auth.members.taken': 'adding an e-mail address that any team uses returns 409 email_taken',
  'auth.members.change': 'PATCH changes the role, name and password of a member',
  'auth.members.delete': 'DELETE returns 204 and ends the sessions and tokens of the member immediately',
  'auth.members.read': 'all roles can read the members',
  'auth.members.write': 'only owners can change the members',
  'auth.members.last_owner': 'removing or demoting the last owner returns 409 last_owner',

  'auth.roles.member': 'a member can write everything except members, origins and checkout',
  'auth.roles.viewer': 'a viewer can write only its own tokens, session and /auth/me',
  'auth.roles.stored': 'a changed role takes effect immediately, even for existing tokens',

  'auth.jwt.minutes': 'access tokens are JWTs that expire after 15 minutes',
  'auth.jwt.expired': 'an expired access token returns 401 expired_token',
  'auth.jwt.pinned': 'a token signed with another algorithm, with no algorithm or with another key returns 401',
  'auth.jwt.restart': 'access tokens stay valid over a restart',
  'auth.teams.apart': 'the data of a team is invisible to other teams',
} as const;
