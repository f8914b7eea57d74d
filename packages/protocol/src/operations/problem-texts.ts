import type { ProblemCode } from '../problem.ts';

/** The documentation of an error code. Markdown. */
export interface ProblemText {
  /** What the code means and when it is returned. */
  meaning: string;
  /** How to fix it. */
  remedy: string;
  /** An example of the `detail` in a response. */
  detail: string;
}

export const problemTexts: Readonly<Record<ProblemCode, ProblemText>> = {
  malformed_json: {
    meaning: 'The body is empty or is not valid JSON.',
    remedy: 'Send the output of `JSON.stringify`. With curl, check the quotes: the shell may have removed them.',
    detail: 'The body is not valid JSON.',
  },
  malformed_multipart: {
    meaning: 'The form cannot be parsed: it has no boundary, is incomplete, or has too many parts.',
    remedy:
      'Let the HTTP client build the form and set the `Content-Type`, because only the client knows the boundary: use `curl -F file=@app.js.map`, or `FormData` with `fetch` and without a `Content-Type` header.',
    detail: 'The multipart body cannot be parsed.',
  },
  invalid_signature: {
    meaning:
      'The signature of a payment event does not match the secret of the server, or its time is off by more than 300 seconds.',
    remedy: 'Compare the secret with the one that the provider shows. Check the clock of the server.',
    detail: 'The signature does not match the body.',
  },
  bad_request: {
    meaning: 'The URL, the headers or the body violate HTTP.',
    remedy: 'Look for a `%` in the path that is not followed by two digits, and for a body that is not valid gzip.',
    detail: 'The URL cannot be parsed.',
  },
  invalid_api_key: {
    meaning: 'No project has the API key of the report.',
    remedy:
      'Copy the key from the settings of the project, or from `GET /projects/{id}`. The key may have been rotated since the app was built.',
    detail:
      'No project has this API key. Copy the current key from the settings of the project: it may have been rotated.',
  },
  missing_token: {
    meaning: 'The operation requires an access token, and the request has none.',
    remedy: 'Sign in with `POST /auth/login` and send the header `Authorization: Bearer <access_token>`.',
    detail: 'Send the header Authorization: Bearer <access token>.',
  },
  invalid_token: {
    meaning:
      'The access token was not issued by this server, or its session has ended: by sign-out, by a new password, by removal of the member, or because a refresh token was used twice. A sign-in link, an invitation, a refresh token and the link of a mail get the same code if they are already used or expired.',
    remedy: 'Sign in again.',
    detail: 'The access token is not valid on this server. Sign in again.',
  },
  expired_token: {
    meaning: 'The access token has expired. An access token is valid for 15 minutes.',
    remedy:
      'Get a new token with `POST /auth/refresh`, or sign in again. For CI and tools, create a personal access token with `POST /auth/tokens`.',
    detail: 'The access token has expired. Sign in again.',
  },
  invalid_credentials: {
    meaning: 'The e-mail or the password is wrong. The response does not reveal which one.',
    remedy:
      'Try again, or ask an owner of the team to set a new password. The operator of the server can do so with `service-server reset-password EMAIL`.',
    detail: 'Wrong e-mail or password.',
  },
  forbidden: {
    meaning:
      'The caller is authenticated but not allowed to do this: the role is not sufficient, or a page of another origin sent a write request with the session cookie.',
    remedy: 'Ask an owner of the team, or use a token with the required role. `GET /auth/me` returns your role.',
    detail: 'Viewers have read-only access. Ask an owner of the team.',
  },
  email_not_verified: {
    meaning:
      'The account was registered on a server that sends mails, and its address is not confirmed yet. Until then, it can only read.',
    remedy: 'Open the link in the mail, or request a new one with `POST /auth/verification`.',
    detail: 'Confirm your e-mail address first: open the link in the mail that you were sent.',
  },
  team_disabled: {
    meaning: 'The operator of the server has disabled the team. Its data is kept.',
    remedy: 'Ask the operator, who can enable it again with `service-server enable TEAM`.',
    detail: 'The operator of this server has disabled the team.',
  },
  registration_closed: {
    meaning: 'New accounts cannot be registered on this server.',
    remedy: 'Ask an owner for an invitation. The operator opens registration with `SERVICE_REGISTRATION=open`.',
    detail: 'Registration is closed on this server. Ask an owner for an invitation.',
  },
  origin_not_allowed: {
    meaning: 'A page sent a report from an origin that is not on the allow-list.',
    remedy:
      'The operator adds the origin with `--cors-origin https://app.example.com`, `SERVICE_CORS_ORIGINS` or `PUT /origins`. The server log names the origin.',
    detail: 'Pages of this origin cannot send reports. The operator of the server must add it to the allow-list.',
  },
  not_found: {
    meaning: 'The path does not exist.',
    remedy: 'Compare the path with the list of operations. All API paths start with `/api/v1`.',
    detail: 'This path does not exist.',
  },
  project_not_found: {
    meaning: 'The project does not exist, or it belongs to another team.',
    remedy: '`GET /projects` lists all projects.',
    detail: 'No project has this id.',
  },
  group_not_found: {
    meaning: 'The error group does not exist, was deleted, or belongs to another team.',
    remedy: '`GET /errors` lists all groups.',
    detail: 'No error group has this id.',
  },
  report_not_found: {
    meaning:
      'The group has no stored report with this id. Only the first and the newest reports are stored, for 90 days by default.',
    remedy:
      '`GET /errors/{group_id}/reports` lists the stored reports. Raise `SERVICE_RETENTION_REPORTS` and `SERVICE_RETENTION_DAYS` to store more.',
    detail: 'The group has no stored report with this id.',
  },
  source_map_not_found: {
    meaning: 'The project has no source map with this id.',
    remedy: '`GET /projects/{id}/source-maps` lists the source maps of the project.',
    detail: 'The project has no source map with this id.',
  },
  summary_not_found: {
    meaning: 'No AI explanation of this group has been requested.',
    remedy: 'Request one with `POST /errors/{group_id}/ai-summary`.',
    detail: 'No explanation of this group has been requested.',
  },
  payment_not_found: {
    meaning: 'The payment does not exist, or it belongs to another team.',
    remedy: 'Use the `payment_id` that `POST /billing/checkout` returned.',
    detail: 'No payment has this id.',
  },
  member_not_found: {
    meaning: 'The team has no member with this id.',
    remedy: '`GET /members` lists all members.',
    detail: 'No member has this id.',
  },
  token_not_found: {
    meaning: 'You have no personal access token with this id.',
    remedy: '`GET /auth/tokens` lists your tokens.',
    detail: 'No personal access token has this id.',
  },
  provider_not_found: {
    meaning: 'The payment provider is unknown or not configured on this server.',
    remedy:
      'The operator configures Stripe with `SERVICE_STRIPE_KEY` and `SERVICE_STRIPE_WEBHOOK_SECRET`, or the sandbox with `SERVICE_SANDBOX_SECRET`.',
    detail: 'This payment provider is not available.',
  },
  method_not_allowed: {
    meaning: 'The path does not support this method.',
    remedy: 'The header `Allow` lists the supported methods.',
    detail: 'This path supports GET, HEAD, POST.',
  },
  request_timeout: {
    meaning:
      'The request did not arrive in time. The limit is 10 seconds for the headers, 30 seconds for the whole request and 300 seconds for an upload. An upload must also reach 32 KiB per second while other uploads wait.',
    remedy: 'Retry. Over a slow connection, compress the body with gzip.',
    detail: 'The request did not arrive in time.',
  },
  conflict: {
    meaning: 'The request conflicts with the current state.',
    remedy: 'Read the current state, then decide whether to retry.',
    detail: 'The resource was changed by another request.',
  },
  generation_in_progress: {
    meaning: 'An AI explanation of this group is already being generated. The request did not use the AI quota.',
    remedy: 'Wait for the result with `GET /errors/{group_id}/ai-summary` or on the live stream.',
    detail: 'An explanation is already being generated.',
  },
  email_taken: {
    meaning: 'An account with this e-mail already exists.',
    remedy: 'Sign in with this e-mail, or use another one.',
    detail: 'An account with this e-mail already exists.',
  },
  last_owner: {
    meaning: 'The change would leave the team without an owner.',
    remedy: 'Make another member an owner first.',
    detail: 'A team needs an owner. Make another member an owner first.',
  },
  payload_too_large: {
    meaning:
      'The body is too large. The limit is 1 MiB for a report, 64 MiB for a source map and 64 KiB for any other body. It applies to the decompressed size.',
    remedy: 'Send less. In reports, large `metadata` is the most frequent cause.',
    detail: 'The body is larger than 65536 bytes.',
  },
  unsupported_media_type: {
    meaning: 'The operation does not accept the media type of the body, or the body has an encoding other than gzip.',
    remedy: 'Send `Content-Type: application/json`, or `multipart/form-data` for source maps.',
    detail: 'Send the body with Content-Type: application/json.',
  },
  validation_failed: {
    meaning:
      'The request is well-formed, but a field or a query parameter is missing, unknown, or has a wrong type or value.',
    remedy: '`errors` lists each invalid field and the expected value.',
    detail: 'name: expected string, received number',
  },
  invalid_source_map: {
    meaning: 'The uploaded file is not a valid source map.',
    remedy: 'Upload the `.map` file that the bundler wrote, not the script. `detail` says what is wrong with the file.',
    detail: 'The file is not JSON.',
  },
  error_quota_exhausted: {
    meaning:
      'The report quota of the plan is used up for this month. The report is not stored. The browser SDK sends no more reports until the page is reloaded.',
    remedy: 'Wait for the next month (see `Retry-After`), or choose a larger plan.',
    detail: 'The error quota of the plan is used up for this month.',
  },
  ai_quota_exhausted: {
    meaning: 'The AI quota of the plan is used up for this month.',
    remedy: 'Wait for the next month (see `Retry-After`), or choose a larger plan.',
    detail: 'The AI quota of the plan is used up for this month.',
  },
  too_many_requests: {
    meaning:
      'A limit is reached: failed sign-ins, registrations, confirmation mails, messages of a project, or live streams. The limit of live streams is 20 per session or token, 1,000 per user, 1,200 per team and 2,000 per server.',
    remedy: 'Retry after the time in `Retry-After`. Close live streams that are not in use.',
    detail: 'Too many failed sign-ins. Try again later.',
  },
  headers_too_large: {
    meaning: 'The headers of the request are larger than 16 KiB.',
    remedy: 'Look for large cookies that a proxy or a page sends with the request.',
    detail: 'The headers of the request are too large.',
  },
  internal_error: {
    meaning: 'The server has a bug.',
    remedy: 'Search the server log for the `request_id`: it has the complete error. Please report it.',
    detail: 'An internal error occurred. Search the server log for the request id.',
  },
  storage_unavailable: {
    meaning:
      'The storage did not accept the write, because of a full disk or an unreachable Redis, for example. Nothing was changed. The exception is a PostgreSQL that did not respond in time: the change may still be written.',
    remedy: 'Retry after the time in `Retry-After`. The server log has the reason. `GET /readyz` reports the recovery.',
    detail: 'The storage is not available at the moment. Try again later.',
  },
  overloaded: {
    meaning:
      'The server has reached a capacity limit, or a service on which the operation depends does not respond. Nothing was counted.',
    remedy: 'Retry after the time in `Retry-After`.',
    detail: 'The server is overloaded at the moment. Try again later.',
  },
  shutting_down: {
    meaning: 'The server is shutting down, usually for a restart.',
    remedy: 'Retry after the time in `Retry-After`.',
    detail: 'The server is shutting down.',
  },
  http_version_not_supported: {
    meaning: 'The live stream was requested over HTTP/1.0, usually by a proxy. It requires HTTP/1.1.',
    remedy: 'Configure the proxy to use HTTP/1.1 to the server: `proxy_http_version 1.1;` in nginx.',
    detail: 'The stream needs HTTP/1.1 or HTTP/2.',
  },
};
